// docs/words.md settles one word for each thing. These tests fail if the source uses another one, or if a comment
// breaks a rule of style that a program can check.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allSourceWords, type SourceWords, sourceWords, surroundingWords } from './source-words.ts'

interface WordRule {
  /** The word as it is in the left column of docs/words.md. */
  readonly word: string
  readonly notInNames?: RegExp
  readonly notInComments?: RegExp
  readonly notInFileNames?: RegExp
  /** Limits the rule to these paths. */
  readonly only?: RegExp
}

const RULES: readonly WordRule[] = [
  { word: 'import', notInNames: /[tT]ake(n)?In(?![a-z])/, notInFileNames: /take-in/ },
  { word: 'access (texts for owners), grant (wire, code)', notInNames: /^[hH]oldings?$/, notInFileNames: /holding/ },
  { word: 'access (texts for owners), grant (wire, code)', notInNames: /^[rR]ights(?![a-z])|[a-z]Rights(?![a-z])/ },
  { word: 'matched documents', notInNames: /MetDocuments/, notInFileNames: /met-documents/ },
  { word: 'request signal (code)', notInNames: /Caller|^callerGone$/, notInFileNames: /caller/ },
  { word: 'session', notInNames: /visitor/i, notInComments: /\bvisitors?\b/i, notInFileNames: /visit/ },
  { word: 'agent (texts for owners)', notInNames: /^holder|Holder|(^|_)HOLDER/, notInFileNames: /holder/ },
  {
    word: 'override',
    notInNames: /wishes/i,
    notInComments: /\bwish(es|ed)?\b/i,
    only: /^packages\/(importers|server\/src\/imports)\//,
  },
  { word: 'max, min', notInNames: /(^|_)(MOST|LEAST)(_|$)|^(most|least)([A-Z]|$)/ },
  {
    word: 'feed',
    notInNames: /change_?feed/i,
    notInComments: /\bchange feeds?\b/i,
    notInFileNames: /change-feed/,
    only: /^(?!packages\/server\/src\/storage\/)/,
  },
  { word: 'feed', notInNames: /feed/i, only: /^packages\/(cli|mcp)\/src\// },
  { word: 'host', notInNames: /client/i, notInComments: /\bclients?\b/i, only: /^packages\/mcp\/src\/hosts\// },
]

const BEGINNINGS = /^(Of|What|Whoever|Where|Also)\b/
const PHRASES = /\b(told apart|made anew|so many|taken in|takes in|whoever)\b/i

/** Tests, and migrations, name the members of old formats. */
const namesOldFormats = (path: string) => /\.(test|cases|fixture)\.ts$|\/migrations\//.test(path)

function brokenRules({ path, names, comments }: SourceWords): string[] {
  const rules = RULES.filter(({ only }) => only === undefined || only.test(path))
  return rules.flatMap(({ word, notInNames, notInComments, notInFileNames }) => [
    ...(namesOldFormats(path) ? [] : [...names].filter((name) => notInNames?.test(name))).map(
      (name) => `${path}: name ${name}, the word is ${word}`,
    ),
    ...comments.filter((line) => notInComments?.test(line)).map((line) => `${path}: "${line}", the word is ${word}`),
    ...(notInFileNames?.test(path.slice(path.lastIndexOf('/'))) ? [`${path}: file name, the word is ${word}`] : []),
  ])
}

function brokenComments({ path, comments }: SourceWords): string[] {
  return comments.filter((line) => BEGINNINGS.test(line) || PHRASES.test(line)).map((line) => `${path}: ${line}`)
}

describe('the source', () => {
  const sources = allSourceWords()

  test('uses the words of docs/words.md', () => {
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.flatMap(brokenRules)).toEqual([])
  })

  test('has comments in plain English', () => {
    expect(sources.reduce((sum, { comments }) => sum + comments.length, 0)).toBeGreaterThan(2000)
    expect(sources.flatMap(brokenComments)).toEqual([])
  })
})

test('tests, benches and scripts have comments in plain English', () => {
  const around = surroundingWords()
  expect(around.length).toBeGreaterThan(300)
  expect(around.flatMap(brokenComments)).toEqual([])
})

test('the word of every rule is in docs/words.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/words.md'), 'utf8')
  const words = [...page.matchAll(/^\| (.+?) \| .+ \| .*\|$/gm)].map(([, word]) => word)
  expect(RULES.map(({ word }) => word).filter((word) => !words.includes(word))).toEqual([])
})

describe('a word that was replaced is found', () => {
  const path = 'packages/server/src/grants/grant.ts'
  test.each([
    ['export function takeIn() {}', path],
    ['export interface Holding {}', path],
    ['export class MetDocuments {}', path],
    ['export type Caller = string', path],
    ['// A visitor has no session.\nexport const a = 1', path],
    ['export const b = { wishes: 1 }', 'packages/importers/src/run/plan.ts'],
    ['export const MOST_ROWS = 1', path],
    ['class A { #mostRows = 1 }', path],
    ['export const holderOf = 1', path],
    ['/** A client. */', 'packages/mcp/src/hosts/entry.ts'],
    ['/** Reads the change feed. */', 'packages/cli/src/provider/reader.ts'],
    ['', 'packages/server/src/grants/holding-text.ts'],
  ])('%s', (text, at) => {
    expect(brokenRules(sourceWords(at, text))).toHaveLength(1)
  })

  test.each(['takesIntoAccount', 'intake', 'placeholder', 'almost', 'upholstery'])('%s is no such word', (name) =>
    expect(brokenRules(sourceWords(path, `const ${name} = 1`))).toEqual([]),
  )
})

describe('a comment that breaks a rule is found', () => {
  test.each([
    '// Of more words hardly any document has all.',
    '/** What a read found. */',
    '/**\n * Whoever asks is refused.\n */',
    '/**\n * A first line.\n * Where it ends.\n */',
    'const a = 1 // Also here.',
    '// Equals are told apart by time.',
    '// Files are taken in by turns.',
  ])('%s', (text) => {
    expect(brokenComments(sourceWords('a.ts', text))).toHaveLength(1)
  })

  test.each(['// Whatever it is.', '// It is taken into account.', "const a = 'Whoever asks'", '// The offer ends.'])(
    '%s is fine',
    (text) => expect(brokenComments(sourceWords('a.ts', text))).toEqual([]),
  )
})
