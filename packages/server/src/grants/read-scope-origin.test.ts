// A ReadScope that no decision made would be a read without a grant. The type keeps honest code honest; a cast is
// the one way around it, and this test reads every file for one.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const packages = join(import.meta.dirname, '..', '..', '..')
const cast = /\bas\s+(?:(?:unknown|any|never|object)\s+as\s+)?(?:\w+<\s*)*ReadScope\b/

const sources = globSync('*/src/**/*.ts', { cwd: packages, exclude: (path) => path.includes('node_modules') })

verifies('checklist 16', 'only the decision itself makes a scope by a cast', () => {
  const casting = sources.filter((file) => cast.test(readFileSync(join(packages, file), 'utf8')))
  expect(casting.map((file) => file.replaceAll('\\', '/'))).toEqual(['server/src/grants/enforce.ts'])
})

// The compiler takes a copy of a scope with other members for a scope.
test('nothing copies a scope in order to change it', () => {
  const copying = sources.filter((file) => /\.\.\.\s*(\w+\.)*scope\b/.test(readFileSync(join(packages, file), 'utf8')))
  expect(copying).toEqual([])
})

test('only its own file names the mark that makes a scope', () => {
  const naming = sources.filter((file) => /\[enforced\]/.test(readFileSync(join(packages, file), 'utf8')))
  expect(naming.filter((file) => !file.endsWith('.test.ts'))).toEqual(['server/src/grants/read-scope.ts'])
})

test('a cast is recognised however it is written, and a mention is not', () => {
  const name = 'ReadScope'
  for (const text of [`x as ${name}`, `x as unknown as\n  ${name}`, `x as any as ${name}`, `y as Partial<${name}>`])
    expect(cast.test(text)).toBe(true)
  for (const text of [
    `scope: ${name}`,
    `Pick<${name}, 'usable'>`,
    `import type { ${name} } from`,
    `as it was, ${name}`,
  ])
    expect(cast.test(text)).toBe(false)
})
