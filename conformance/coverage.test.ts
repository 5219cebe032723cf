// Which scenarios have a test. Fails on one that lacks it, on an id that nothing defines, and on a test that claims what is open.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirements } from './requirements.ts'

const root = join(import.meta.dirname, '..')
const ids = requirements.map(({ id }) => id)
const scenarios = requirements.filter(({ kind }) => kind === 'scenario')

/** Titles of tests and groups: the text that a call begins with. What a comment says proves nothing. */
function titles(source: string): string[] {
  return [...source.matchAll(/\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g)].map(([, , title]) => title!)
}

function idsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])00\d\.\d+(?:\.\d+)?(?![\w]|\.\d)/g)].map(([id]) => id)
}

// This file is left out: it has ids only as examples.
const files = globSync('{packages,conformance,tests}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => /node_modules|coverage\.test\.ts$/.test(path),
})
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const claims = [...sources].flatMap(([file, source]) =>
  titles(source).flatMap((title) => idsIn(title).map((id) => ({ file, title, id }))),
)

test('the manifest names every requirement once, and every scenario under its requirement', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  expect(scenarios).toHaveLength(93)
  for (const { id, kind, title, behaviour, open } of requirements) {
    expect(id).toMatch(kind === 'requirement' ? /^00\d\.\d+$/ : /^00\d\.\d+\.\d+$/)
    expect(ids).toContain(id.split('.', 2).join('.'))
    expect(title && behaviour && (open ?? 'closed')).toMatch(/\S/)
  }
})

test('every id that a test cites is in the manifest', () => {
  const unknown = [...sources].flatMap(([file, source]) =>
    idsIn(source)
      .filter((id) => !ids.includes(id))
      .map((id) => `${file} cites ${id}`),
  )
  expect(unknown).toEqual([])
})

test('a title claims an id, a comment or a value does not, and a version number is none', () => {
  const source = `
    // ('000.1.2 in a comment')
    // Points 2, 29 and 44: docs/decisions.md.
    test('000.1.1 "quoted", one path', () => {}) // as 003.19.5
    test.each([['000.2.1']])(
      \`004.2 003.1.1 many (%s)\`,
      () => expect('000.3.1').toBe("000.4.1"))`
  expect(titles(source).flatMap(idsIn)).toEqual(['000.1.1', '004.2', '003.1.1'])
  expect(idsIn('1.000.1 000.1.2.3 v000.1 000.1.1a')).toEqual([])
})

test('every scenario has a test, but for those that are open, which no test claims', () => {
  const proved = new Set(claims.map(({ id }) => id))
  expect(scenarios.filter(({ id, open }) => !open && !proved.has(id)).map(({ id }) => id)).toEqual([])
  const openIds = scenarios.filter(({ open }) => open).map(({ id }) => id)
  expect(claims.filter(({ id }) => openIds.includes(id))).toEqual([])
  console.log(`scenarios: ${scenarios.length}, of which ${scenarios.length - openIds.length} have a test`)
  for (const { id, kind, title, open } of requirements)
    if (open) console.log(`open: ${id} ${title}${kind === 'requirement' ? ' (a part of it)' : ''}: ${open}`)
})
