/** One small break of the source, and the tests that must notice it. */
export interface Break {
  /** The scenario, or the settled point, that it takes away. */
  readonly id: string
  /** The effect that a user would notice. */
  readonly what: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly search: string
  readonly replacement: string
  readonly tests: Tests
}

/** A file of tests, and a pattern of names (vitest's `-t`) that picks tests out of it. */
export type Tests = readonly [file: string, names: string]

type Told = readonly [id: string, what: string, search: string, replacement: string, tests: Tests]

/** Breaks of one file, told shortly. */
export const breaksOf = (file: string, list: readonly Told[]): Break[] =>
  list.map(([id, what, search, replacement, tests]) => ({ id, what, file, search, replacement, tests }))

/** A conformance test over one transport: one is enough to notice, and four cost four times as much. */
export const hosted = (file: string, id: string): Tests => [
  `conformance/adapter/${file}.test.ts`,
  `hosted 2026-07-28.*${id.replaceAll('.', '\\.')}`,
]

/** A conformance test that chooses its transport itself. */
export const adapter = (file: string, names: string): Tests => [`conformance/adapter/${file}.test.ts`, names]

export const server = (file: string, names: string): Tests => [`packages/server/tests/${file}.test.ts`, names]
