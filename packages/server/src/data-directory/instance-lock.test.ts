import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockingProcess, takeLock } from './instance-lock.ts'

function lockPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'server.lock')
}

const markOf = (pid: number, file: string) => readFileSync(file, 'utf8').replace(/^\d+/, String(pid))

test('one process holds the lock until it releases it', () => {
  const file = lockPath()
  const lock = takeLock(file)
  expect(lockingProcess(file)).toBe(process.pid)
  expect(() => takeLock(file)).toThrow(`process ${process.pid}`)
  lock.release()
  expect([lockingProcess(file), existsSync(file)]).toEqual([undefined, false])
})

test('takes over the lock of a killed container with the same pid', () => {
  const file = lockPath()
  takeLock(file).release()
  const lock = takeLock(file)
  const left = readFileSync(file, 'utf8')
  lock.release()
  writeFileSync(file, left)
  expect(lockingProcess(file)).toBeUndefined()
  takeLock(file).release()
})

test('respects the lock of a running process of the same boot', () => {
  const file = lockPath()
  takeLock(file)
  writeFileSync(file, markOf(process.ppid, file))
  expect(lockingProcess(file)).toBe(process.ppid)
})

test('takes over a lock from before a power failure', () => {
  const file = lockPath()
  writeFileSync(file, `${process.ppid}\n00000000-0000-0000-0000-000000000000`)
  expect(lockingProcess(file)).toBeUndefined()
  takeLock(file).release()
})
