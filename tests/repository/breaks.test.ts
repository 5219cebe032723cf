// `npm run mutations` takes long and seldom runs. This test fails as soon as a break no longer fits the source.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { breaks } from '../../conformance/mutations/breaks.ts'

const root = join(import.meta.dirname, '..', '..')
const occurrences = (file: string, search: string): number =>
  existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8').split(search).length - 1 : 0

test('every break can be applied, and its tests exist', () => {
  expect(breaks.length).toBeGreaterThan(100)
  expect(breaks.filter(({ file, search }) => occurrences(file, search) !== 1)).toEqual([])
  expect(breaks.filter(({ tests: [file] }) => !existsSync(join(root, file)))).toEqual([])
})
