import { execFileSync } from 'node:child_process'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'
import { UNUSUAL_FOLDERS } from './arrows.ts'

const root = join(import.meta.dirname, '..', '..')
const MAX_FILES = 25

test('every folder can be read as a list', () => {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const folders = new Map<string, { files: number; rooms: Set<string> }>()
  const folderAt = (path: string) => {
    const known = folders.get(path)
    if (known) return known
    const made = { files: 0, rooms: new Set<string>() }
    folders.set(path, made)
    if (path !== '.') folderAt(posix.dirname(path)).rooms.add(path)
    return made
  }
  for (const path of paths.split('\n').filter((line) => line !== '')) folderAt(posix.dirname(path)).files++
  const unusual = [...folders]
    .filter(([, { files, rooms }]) => files > MAX_FILES || files + rooms.size < 2)
    .map(([path]) => path)
  expect(unusual.toSorted()).toEqual(Object.keys(UNUSUAL_FOLDERS).toSorted())
})
