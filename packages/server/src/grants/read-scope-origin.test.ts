// A ReadScope that enforce() did not make would be a read without a grant. The type system prevents it, except by a
// cast, so this test searches every file for casts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'

const packages = join(import.meta.dirname, '..', '..', '..')
const cast = /\bas\s+(?:(?:unknown|any|never|object)\s+as\s+)?(?:\w+<\s*)*ReadScope\b/

const sources = globSync('*/src/**/*.ts', { cwd: packages, exclude: (path) => path.includes('node_modules') })

verifies('checklist 16', 'only enforce() casts to ReadScope', () => {
  const casting = sources.filter((file) => cast.test(readFileSync(join(packages, file), 'utf8')))
  expect(casting.map((file) => file.replaceAll('\\', '/'))).toEqual(['server/src/grants/enforce.ts'])
})

// The compiler accepts a changed copy of a scope as a scope.
test('no file copies a scope in order to change it', () => {
  const copying = sources.filter((file) => /\.\.\.\s*(\w+\.)*scope\b/.test(readFileSync(join(packages, file), 'utf8')))
  expect(copying).toEqual([])
})

test('only read-scope.ts names the symbol that marks a scope', () => {
  const naming = sources.filter((file) => /\[enforced\]/.test(readFileSync(join(packages, file), 'utf8')))
  expect(naming.filter((file) => !file.endsWith('.test.ts'))).toEqual(['server/src/grants/read-scope.ts'])
})

test('the pattern finds every form of cast, but no mere mention', () => {
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
