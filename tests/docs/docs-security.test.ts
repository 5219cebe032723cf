// docs/security.md says which tests prove what; the tests say the same of themselves.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Row {
  readonly item: number
  readonly claim: string
  readonly files: readonly string[]
}

const rows = (page: string): Row[] =>
  [...page.matchAll(/^\| (\d+)\. (.+?) \| (.+) \|$/gm)].map(([, item, claim, files]) => ({
    item: Number(item),
    claim: claim!,
    files: [...files!.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
  }))

/** The numbers that a test names: "checklist 14", "checklist 22, 23". */
const cited = (text: string): number[] =>
  [...text.matchAll(/\bchecklist (\d+(?:, \d+)*)(?![\d.])/g)].flatMap(([, numbers]) => numbers!.split(', ').map(Number))

const table = rows(read('docs/security.md'))

/** Not built yet. The change that builds it names its tests. */
const OPEN: readonly number[] = []

test('every row of docs/security.md names tests that cite it', () => {
  const proved = table.filter(({ item }) => !OPEN.includes(item))
  const wrong = proved.flatMap(({ item, files }) => [
    ...files.filter((file) => !existsSync(join(root, file))).map((file) => `${item} names ${file}, which is not there`),
    ...files
      .filter((file) => !/\.(test|cases)\.ts$/.test(file))
      .map((file) => `${item} names ${file}, which is no test`),
    ...(files.some((file) => existsSync(join(root, file)) && cited(read(file)).includes(item))
      ? []
      : [`${item} is cited by none of its tests`]),
  ])
  expect(wrong).toEqual([])
})

test('every item of the checklist has one row, in order', () => {
  expect(table.map(({ item }) => item)).toEqual(Array.from({ length: 32 }, (_, index) => index + 1))
  const open = [...read('docs/security.md').matchAll(/^\| (\d+)\. .+ \| open \|$/gm)].map(([, item]) => Number(item))
  expect(open).toEqual(OPEN)
})

test('every test that cites an item is named in its row', () => {
  const files = globSync('{packages,conformance,tests}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => /node_modules|(?:docs-security|coverage)\.test\.ts$/.test(path),
  }).map((path) => path.replaceAll('\\', '/'))
  const unnamed = files.flatMap((file) =>
    [...new Set(cited(read(file)))]
      .filter((item) => !table.find((row) => row.item === item)?.files.includes(file))
      .map((item) => `${file} cites ${item}`),
  )
  expect(files.length).toBeGreaterThan(50)
  expect(unnamed).toEqual([])
})

test('a citation is recognised, and a row that lies is not believed', () => {
  expect(cited(`test('checklist 22, 23: names', …) // (checklist 8)`)).toEqual([22, 23, 8])
  expect(cited('checklist 4.2')).toEqual([])
  expect(rows('| 3. A code `works` once. | `a.test.ts`, `b.test.ts` |')).toEqual([
    { item: 3, claim: 'A code `works` once.', files: ['a.test.ts', 'b.test.ts'] },
  ])
})
