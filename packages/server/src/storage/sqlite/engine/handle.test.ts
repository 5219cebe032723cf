import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { Handle } from './handle.ts'

/** A connection that reads a file, and another one that writes to it. */
function connections() {
  const directory = mkdtempSync(join(tmpdir(), 'pdpp-handle-'))
  const file = join(directory, 'some.db')
  const writer = new Database(file)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table value (n integer); insert into value values (1)')
  const reader = new Handle(new Database(file, { readonly: true }))
  onTestFinished(() => {
    for (const db of [writer, reader.db]) db.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const reads: string[] = []
  const value = (name: string) =>
    reader.cachedUntilWrite(name, () => {
      reads.push(name)
      return reader.column<number>('select n from value')[0]!
    })
  const write = (n: number) => {
    writer.prepare('update value set n = ?').run(n)
    reader.noteWrite()
  }
  return { reader, reads, value, write }
}

test('reads again after a write what was used, before it is asked for', () => {
  const { reader, reads, value, write } = connections()
  expect([value('a'), value('b')]).toEqual([1, 1])
  write(2)
  reader.readAhead()
  expect(reads.splice(0).sort()).toEqual(['a', 'a', 'b', 'b'])
  expect(value('a')).toBe(2)
  expect(reads).toEqual([])
  // Since the last time only one of them was used.
  write(3)
  reader.readAhead()
  expect(reads).toEqual(['a'])
  expect([value('a'), value('b')]).toEqual([3, 3])
})

test('does not trust what it read ahead after a further write', () => {
  const { reader, value, write } = connections()
  value('a')
  write(2)
  reader.readAhead()
  write(3)
  expect(value('a')).toBe(3)
})

test('leaves a read that fails to the next request', () => {
  const { reader, write } = connections()
  let isBroken = false
  const read = () =>
    reader.cachedUntilWrite('broken', () => {
      if (isBroken) throw new Error('The disk is gone.')
      return 'fine'
    })
  expect(read()).toBe('fine')
  isBroken = true
  write(2)
  reader.readAhead()
  expect(read).toThrow('The disk is gone.')
})
