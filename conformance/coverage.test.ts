// Which scenarios have a test. Fails on one that lacks it, and on an id that nothing defines.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirements } from './requirements.ts'

const root = join(import.meta.dirname, '..')
const ids = requirements.map(({ id }) => id)

function citedIds(text: string): string[] {
  return [...text.matchAll(/(?<![\w.])00\d\.\d+(?:\.\d+)?(?![\w]|\.\d)/g)].map(([id]) => id)
}

// This file is left out: it has ids only as examples.
const files = globSync('{packages,conformance,tests}/**/*.test.ts', {
  cwd: root,
  exclude: (path) => /node_modules|coverage\.test\.ts$/.test(path),
})
const cited = new Map(files.map((file) => [file, citedIds(readFileSync(join(root, file), 'utf8'))]))

test('the manifest names every requirement once, and every scenario under its requirement', () => {
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  for (const { id, kind, title, behaviour } of requirements) {
    expect(id).toMatch(kind === 'requirement' ? /^00\d\.\d+$/ : /^00\d\.\d+\.\d+$/)
    expect(ids).toContain(id.split('.', 2).join('.'))
    expect(title && behaviour).toMatch(/\S/)
  }
})

test('every id that a test cites is in the manifest', () => {
  const unknown = [...cited].flatMap(([file, found]) =>
    found.filter((id) => !ids.includes(id)).map((id) => `${file} cites ${id}`),
  )
  expect(unknown).toEqual([])
})

test('an id is recognised in a title and in a comment, and a version number is not one', () => {
  expect(citedIds(`test('000.1.1 one path', () => {}) // as 003.19.5, 004.2.`)).toEqual([
    '000.1.1',
    '003.19.5',
    '004.2',
  ])
  expect(citedIds('1.000.1 000.1.2.3 v000.1 000.1.1a')).toEqual([])
})

test('every scenario has a test', () => {
  const proved = new Set([...cited.values()].flat())
  const scenarios = requirements.filter(({ kind }) => kind === 'scenario').map(({ id }) => id)
  const lacking = scenarios.filter((id) => !proved.has(id))
  expect(lacking).toEqual([])
  console.log(`scenarios: ${scenarios.length}, each with a test`)
})
