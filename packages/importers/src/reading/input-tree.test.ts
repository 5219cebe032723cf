import { expect, it } from 'vitest'
import { FileTree, treePath } from './input-tree.ts'
import { memoryInput } from './memory-input.fixture.ts'

const tree = (...names: string[]) => new FileTree(names.map((name) => memoryInput(name, '')))
const names = (inputs: readonly { name: string }[]) => inputs.map(({ name }) => name)

it.each([
  ['Takeout/takeout-20260101T1-001.zip/Takeout/a.json', 'Takeout/takeout-20260101T1/Takeout/a.json'],
  ['takeout-20260101T1-002.zip/a.json', 'takeout-20260101T1/a.json'],
  ['Export-Part-1.zip/a.md', 'Export/a.md'],
  ['Chat 2026.zip/a.jpg', 'Chat 2026/a.jpg'],
  ['12.zip/a.jpg', '12/a.jpg'],
  ['cafe\u0301.zip/a', 'caf\u00e9/a'],
  ['backup-001.zip', 'backup-001.zip'],
])('%s is found at %s', (name, path) => {
  expect(treePath(name)).toBe(path)
})

it('finds files by the paths that an export names, and never outside of it', () => {
  const files = tree('x/chats/result.json', 'x/chats/files/a.jpg', 'x/chats2/b.jpg', 'x-001.zip/chats/c.jpg')
  const main = files.get('x/chats/result.json')!
  expect(files.near(main, 'files/a.jpg')?.name).toBe('x/chats/files/a.jpg')
  expect(files.near(main, './files\\a.jpg')?.name).toBe('x/chats/files/a.jpg')
  expect(files.near(main, '../chats2/b.jpg')?.name).toBe('x/chats2/b.jpg')
  expect(files.near(main, '../../../../etc/passwd')).toBeUndefined()
  expect(names(files.below('x/chats'))).toEqual(['x-001.zip/chats/c.jpg', 'x/chats/files/a.jpg', 'x/chats/result.json'])
  expect(names(files.below(''))).toHaveLength(4)
})
