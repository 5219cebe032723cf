import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const MAX_CHARS = 70
const root = dirname(dirname(import.meta.dirname))
/** A test, the arguments of `each` or `runIf`, the citations of `verifies`, and the title. */
const TITLE =
  /\b(?:it|test|verifies)(?:\.(?:each|skipIf|runIf|for)\([^()]*\))?\(\s*(?:(?:'[\w. ]+'|\[[^\]]*\]),\s*)?(['"`])((?:(?!\1).)+)\1,/g

/** Words that docs/words.md replaces. */
const PHRASES = /\b(told apart|made anew|taken in|takes in|whoever)\b/i

const titlesOf = (source: string): string[] => [...source.matchAll(TITLE)].map(([, , title = '']) => title)
const tooLong = (source: string): string[] => titlesOf(source).filter((title) => title.length > MAX_CHARS)
const unclear = (source: string): string[] => titlesOf(source).filter((title) => PHRASES.test(title))

test.each([
  ['short', tooLong],
  ['in plain English', unclear],
])('titles of tests are %s', (_rule, breaking) => {
  const list = execFileSync('git', ['ls-files', '*.test.ts', '*.cases.ts', '*.fixture.ts'], { cwd: root })
  const files = list.toString().split('\n').slice(0, -1)
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    breaking(readFileSync(join(root, file), 'utf8')).map((title) => `${file}: ${title}`),
  )
  expect(found).toEqual([])
})

test.each([
  (title: string) => `it('${title}', async () => {})`,
  (title: string) => `verifies(['003.19.1', 'point 5'], "${title}", () => {})`,
  (title: string) => `test.each(cases)(\`${title}\`, () => {})`,
])('a bad title is found however it is written', (written) => {
  expect(tooLong(written('a'.repeat(MAX_CHARS + 1)))).toHaveLength(1)
  expect(tooLong(written('a'.repeat(MAX_CHARS)))).toEqual([])
  expect(unclear(written('a file is taken in'))).toHaveLength(1)
  expect(unclear(written('a file is imported'))).toEqual([])
})
