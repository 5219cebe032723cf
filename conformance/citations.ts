// Reads all citations of the tests from the source: the first argument of each call of `verifies`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

export interface Claim {
  readonly file: string
  readonly title: string
  readonly citations: readonly string[]
}

// Before a call there is only code on its line. So calls in comments and in strings do not match.
const CALL = /^[^'"`/\n]*\bverifies(?:\.(?:each|group))?\(/gm
const STRING = String.raw`(['"\`])(?:\\.|(?!\1)[^\\])*\1`

/** Throws for a call whose citations cannot be read from the source. */
export function claimsIn(file: string, source: string): Claim[] {
  return [...source.matchAll(CALL)].map((call) => {
    const text = source.slice(call.index + call[0].length)
    const [, written] = /^\s*('[^'\n]*'|\[(?:\s*'[^'\n]*',?)+\s*\])\s*,/.exec(text) ?? []
    if (written === undefined) {
      const line = source.slice(0, call.index + call[0].length).split('\n').length
      throw new Error(`${file}:${line} cites something that is not a literal`)
    }
    const citations = [...written.matchAll(/'([^']*)'/g)].map(([, citation]) => citation!)
    const title = new RegExp(STRING).exec(text.slice(text.indexOf(written) + written.length))?.[0] ?? ''
    return { file, title: title.slice(1, -1), citations }
  })
}

/** The citations of all tests, except those of conformance/coverage.test.ts, which are only examples. */
export function allClaims(): Claim[] {
  const files = globSync('{packages,conformance,tests}/**/*.{test,cases}.ts', {
    cwd: root,
    exclude: (path) => /node_modules|coverage\.test\.ts$/.test(path),
  })
  return files.flatMap((file) => claimsIn(file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')))
}
