import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  LONG_ON_POSTGRES,
  leftOut,
  NO_STORE,
  ON_BOTH,
  ONLY_SQLITE,
  TESTS_ONLY_SQLITE,
} from '../fixtures/on-postgres.ts'

const root = join(import.meta.dirname, '..', '..')
const roots = ['packages/cli/tests', 'packages/importers/tests', 'packages/server/tests', 'conformance', 'tests']
const files = roots.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`),
)
const isIn = (file: string, folder: string) => file.startsWith(`${folder}/`)

test('every test runs on both stores, or a reason in words says why not', () => {
  const unknown = files.filter(
    (file) => !ON_BOTH.some((folder) => isIn(file, folder)) && NO_STORE[dirname(file)] === undefined,
  )
  expect(unknown).toEqual([])
  for (const list of [NO_STORE, ONLY_SQLITE, LONG_ON_POSTGRES, TESTS_ONLY_SQLITE])
    for (const [name, reason] of Object.entries(list)) {
      expect(existsSync(join(root, name.split(' > ')[0]!)), name).toBe(true)
      expect(reason.split(' ').length, name).toBeGreaterThan(3)
    }
  for (const name of Object.keys(TESTS_ONLY_SQLITE)) {
    const [file, title] = name.split(' > ')
    expect(readFileSync(join(root, file!), 'utf8'), name).toContain(title)
  }
})

test('a run can say what it leaves out on PostgreSQL, and why', () => {
  const [usual, long] = [leftOut(false), leftOut(true)]
  const count = Object.keys(ONLY_SQLITE).length
  expect([...long.values()].flat()).toHaveLength(count)
  expect([...usual.values()].flat()).toHaveLength(count + Object.keys(LONG_ON_POSTGRES).length)
  expect([...usual.keys()].filter((reason) => !/^(never, because it|only in test:long:) \w+ \w+/.test(reason))).toEqual(
    [],
  )
})

test('most tests of routes run on both stores every time', () => {
  const server = files.filter((file) => isIn(file, 'packages/server/tests'))
  const left = server.filter((file) => ONLY_SQLITE[file] ?? LONG_ON_POSTGRES[file])
  expect(left.length).toBeLessThan(server.length / 5)
})
