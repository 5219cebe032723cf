// Everything that an owner reads uses the owner's words, and names only commands that exist.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '@pdpp/cli'
import { type ErrorCode, NEXT_STEPS, reasonsOf } from '@pdpp/protocol'
import { describe, expect, test } from 'vitest'
import { shownTexts } from './shown-texts.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const files = (...patterns: string[]): string[] =>
  patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root })
      .map((path) => path.replaceAll('\\', '/'))
      .toSorted(),
  )

/** Words of the protocol that say nothing to an owner. In code, commands and flags they are fine. */
const INTERNAL =
  /\b(grants?|receipts?|records?|streams?|feeds?|connectors?|connections?|clients?|assistants?|tombstones?|bearer)\b/i

/** The rest of a text for people, without code, commands, flags and places to fill in. */
const withoutCode = (text: string): string =>
  text
    .replace(/`[^`]*`/g, '')
    .replace(/(?<!\w)--[a-z][a-z-]*( <[^>]*>)?/g, '')
    .replace(/(\.\/)?pdpp( [a-z][a-z-]*)+/g, '')
    .replace(/… owner( [a-z][a-z-]*)+|<[^<>]*>|\{[^}]*\}|\b\w+\.db\b/g, '')

/** For programs, or with another meaning. Each has a reason. */
const ALLOWED = [
  /^Tool of an agent/, // the fold "For programs"
  /^The upload failed\. Check your connection/, // the network
  /^the stream that a table becomes$/, // the flag --stream
  /^assistant\.example |"assistant\.example /, // the address of an agent
]

const internalWords = (texts: readonly string[]): string[] =>
  texts.filter((text) => INTERNAL.test(withoutCode(text)) && !ALLOWED.some((pattern) => pattern.test(text)))

/** The sentences of a page of Markdown, without code, links' targets and pictures' paths. */
const prose = (markdown: string): string[] =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/(?<=[.:!?])\s+|\n/)
    .filter((sentence) => sentence.trim() !== '')

const GUIDES = [
  'README.md',
  ...['console', 'consent', 'first-five-minutes', 'importing', 'keeping-your-data', 'running-as-a-service'].map(
    (name) => `docs/${name}.md`,
  ),
]

test.each(GUIDES)('%s uses the words of owners', (page) => {
  expect(internalWords(prose(read(page)))).toEqual([])
})

test('the README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(120)
})

/** Every page, with consent, errors and scripts. */
const CONSOLE = files('packages/server/src/console/**/*.ts').filter(
  (file) => !/\.test\.ts$|\/style\/|\/style\.ts$|\/icons?\.ts$/.test(file),
)
/** The commands of the first day. Others are named after the protocol's own words. */
const FIRST_COMMANDS = files(
  'packages/cli/src/welcome.ts',
  'packages/cli/src/commands/{serve,demo,server-commands}.ts',
  'packages/cli/src/commands/{import,setup,doctor}/*.ts',
).filter((file) => !file.endsWith('.test.ts'))

const textsOf = (file: string): string[] => shownTexts(read(file)).map(({ text }) => text)

test.each([
  ['pages', CONSOLE, 80, 700],
  ['commands of the first day', FIRST_COMMANDS, 20, 150],
] as const)('%s use the words of owners', (_name, list, minFiles, minTexts) => {
  const all = list.map((file) => [file, textsOf(file)] as const)
  expect(list.length).toBeGreaterThan(minFiles)
  expect(all.reduce((sum, [, texts]) => sum + texts.length, 0)).toBeGreaterThan(minTexts)
  expect(all.flatMap(([file, texts]) => internalWords(texts).map((text) => `${file}: ${text}`))).toEqual([])
})

test('the text of a page after an error uses the words of owners', () => {
  const codes = Object.keys(NEXT_STEPS) as ErrorCode[]
  const steps = codes.flatMap((code) => [NEXT_STEPS[code], ...Object.values(reasonsOf(code))])
  expect(steps.length).toBeGreaterThan(80)
  expect(internalWords(steps.map(({ console }) => console))).toEqual([])
})

describe('a bare internal word is noticed', () => {
  const html = (text: string) => `const a = html\`${text}\``
  test.each([
    [html('<p>All your $' + '{count} receipts</p>'), 1],
    [html('<p>$' + '{yes ? html`<b>Your streams</b>` : 0}</p>'), 1],
    [html('<input aria-label="Find a record">'), 1],
    ["const a = 'The grant is over.'", 1],
    ['const a = `All $' + '{count} records`', 1],
    ["const SCRIPT = `'use strict'\nsay('The records are gone.')`", 1],
    ["const a = { description: 'list connections, newest first' }", 1],
    [html('<code>grant</code> <a href="/agents/grants/x">access</a>'), 0],
    ["const a = 'Run `pdpp owner grant list` for more.'", 0],
    ["import { Grant } from './grant store.ts'", 0],
  ])('%s', (source, found) => {
    expect(internalWords(shownTexts(source).map(({ text }) => text))).toHaveLength(found)
  })

  test('also in a guide', () => {
    expect(internalWords(prose('Your **records** are here.\n\n```\na stream\n```\n`grant`'))).toHaveLength(1)
  })
})

const PAGES = files('*.md', 'docs/*.md', 'docs/importers/*.md', 'packages/*/README.md', 'changes/*.md')
const PRINTED = files('packages/{cli,mcp,server,importers}/src/**/*.ts', 'packages/protocol/src/errors/**/*.ts').filter(
  (file) => !file.endsWith('.test.ts'),
)

const program = createProgram()

/** Every `pdpp …` in a text that no command of ours has. */
function unknownCommands(text: string): { seen: number; unknown: string[] } {
  const unknown: string[] = []
  let seen = 0
  const typed = /(?:\.\/|`|\$ |^|Run: |with: |[('"])pdpp ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)*)/gm
  for (const [, words] of text.matchAll(typed)) {
    seen++
    let command: any = program
    for (const word of words!.split(' ')) {
      const next = command.commands.find((one: any) => one.name() === word || one.aliases().includes(word))
      if (next === undefined) {
        if (command === program || (command.commands.length > 0 && command.registeredArguments.length === 0))
          unknown.push(`pdpp ${words}`)
        break
      }
      command = next
    }
  }
  return { seen, unknown }
}

test('every command in guides, pages, messages and errors exists', () => {
  const shown = (file: string) =>
    shownTexts(
      read(file)
        .replaceAll('$' + '{preferences().command}', './pdpp')
        .replaceAll('$' + '{typedCommand()}', './pdpp'),
    )
      .map(({ text }) => text)
      .join('\n')
  const code = (file: string) => read(file).replaceAll('$' + '{preferences().command}', './pdpp')
  const texts = [
    ...PAGES.map((page) => [page, read(page)] as const),
    ...CONSOLE.map((file) => [file, code(file)] as const),
    ...PRINTED.map((file) => [file, shown(file)] as const),
  ]
  const found = texts.map(([page, text]) => ({ page, ...unknownCommands(text) }))
  expect(found.reduce((sum, { seen }) => sum + seen, 0)).toBeGreaterThan(300)
  expect(found.flatMap(({ page, unknown }) => unknown.map((command) => `${page}: ${command}`))).toEqual([])
  expect(unknownCommands('Run `pdpp owner grant frobnicate`, then `pdpp frob`.').unknown).toHaveLength(2)
})

test('no guide runs a package that is not ours', () => {
  // In cli.md, npx is for the folder where the package is installed; decisions.md says why there is no other. The pages
  // of the packages are read where they are published.
  const isGuide = (page: string) => !/^docs\/(decisions|cli)\.md$|^packages\//.test(page)
  const found = PAGES.filter(isGuide).flatMap((page) =>
    [...read(page).matchAll(/npx pdpp|npx @pdpp\/\S+|npm install[^\n]*@pdpp\/\S+/g)].map(
      ([text]) => `${page}: ${text}`,
    ),
  )
  expect(found).toEqual([])
})
