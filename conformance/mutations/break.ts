/** One small change that breaks the source, and the tests that must fail with it. */
export interface Break {
  /** The scenario, the settled point or the item of the checklist that it breaks. */
  readonly id: string
  /** The effect on a user. */
  readonly what: string
  readonly file: string
  /** The text to replace. It occurs exactly once in the file. */
  readonly search: string
  readonly replacement: string
  readonly tests: Tests
}

/** A test file, and a pattern that selects tests by name (vitest's `-t`). */
export type Tests = readonly [file: string, names: string]

type BreakRow = readonly [id: string, what: string, search: string, replacement: string, tests: Tests]

/** Several breaks of one file. */
export const breaksOf = (file: string, list: readonly BreakRow[]): Break[] =>
  list.map(([id, what, search, replacement, tests]) => ({ id, what, file, search, replacement, tests }))

/** A conformance test over one transport. One is enough, and all four would take four times as long. */
export const hosted = (file: string, id: string): Tests => [
  `conformance/adapter/${file}.test.ts`,
  `hosted 2026-07-28.*${id.replaceAll('.', '\\.')}`,
]

/** A conformance test that chooses its transport itself. */
export const adapter = (file: string, names: string): Tests => [`conformance/adapter/${file}.test.ts`, names]

export const server = (file: string, names: string): Tests => [`packages/server/tests/${file}.test.ts`, names]
