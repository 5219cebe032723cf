import { expect, test } from 'vitest'
import { writeProblem } from './write-problem.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['ENOSPC', 'its disk is full. Free some space'],
  ['SQLITE_FULL', 'its disk is full. Free some space'],
  ['EROFS', 'its disk is read-only. Make it writable'],
  ['ENOTDIR', 'it is a file, or below one. Choose another'],
])('says what to do about %s', (code, text) => {
  expect(writeProblem('/data', failed(code))?.message).toContain(`Cannot write to the data directory /data: ${text}`)
})

test('leaves other errors as they are', () => {
  expect([writeProblem('/data', failed('EACCES')), writeProblem('/data', new Error('no'))]).toEqual([
    undefined,
    undefined,
  ])
})
