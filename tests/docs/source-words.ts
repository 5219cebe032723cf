import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const root = join(import.meta.dirname, '..', '..')

/** The words of one source file: its path, the names in its code and the lines of its comments. Texts are left out. */
export interface SourceWords {
  readonly path: string
  readonly names: ReadonlySet<string>
  readonly comments: readonly string[]
}

/** Every file below `packages/<name>/src`, tests included. */
export const allSourceWords = (): SourceWords[] => wordsOf(['packages/*/src/**/*.ts'])

/** Everything around the source: tests of whole packages, benches, scripts and examples. */
export const surroundingWords = (): SourceWords[] =>
  wordsOf(['packages/*/tests/**/*.ts', '{bench,conformance,examples,scripts,tests}/**/*.{ts,mjs}'])

function wordsOf(patterns: readonly string[]): SourceWords[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => sourceWords(path, readFileSync(join(root, path), 'utf8')))
}

export function sourceWords(path: string, text: string): SourceWords {
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const names = new Set<string>()
  collectNames(program, names)
  return { path, names, comments: comments.flatMap(({ value }) => commentLines(value)) }
}

function collectNames(node: unknown, into: Set<string>): void {
  if (Array.isArray(node)) for (const item of node) collectNames(item, into)
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return
  const { type, name } = node as { type?: string; name?: unknown }
  if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') into.add(name)
  for (const value of Object.values(node)) if (typeof value === 'object') collectNames(value, into)
}

function commentLines(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^[\s*/]+/, '').trimEnd())
  return lines.filter((line) => line !== '')
}
