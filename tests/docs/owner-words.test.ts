// Everything that an owner reads uses the owner's words, and names only commands that exist.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createProgram } from '@pdpp/cli'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Words of the protocol that say nothing to an owner. In code and in `marks` they are fine. */
const INTERNAL = /\b(grants?|receipts?|records?|streams?|feeds?|connectors?|tombstones?|bearer)\b/i

const GUIDES = ['README.md', 'docs/console.md', 'docs/running-as-a-service.md']

/** The text of a page of Markdown, without code, tables of variables, links' targets and pictures' paths. */
function prose(markdown: string): string[] {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .split(/(?<=[.:!?])\s+|\n/)
    .filter((sentence) => sentence.trim() !== '')
}

test.each(GUIDES)('%s uses the words of owners', (page) => {
  expect(prose(read(page)).filter((sentence) => INTERNAL.test(sentence))).toEqual([])
})

test('the README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(120)
})

/** Folders of the console. The import pages are reworked elsewhere. */
const SKIPPED = ['imports', 'style']
const files = readdirSync(join(root, 'packages/server/src/console'), { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /(?<!test)\.ts$/.test(file.name))
  .map((file) => relative(root, join(file.parentPath, file.name)))
  .filter((file) => !SKIPPED.some((folder) => file.includes(`/console/${folder}/`)))

/** The texts between tags in templates, and sentences in quotes. */
function shownTexts(source: string): string[] {
  const code = source.replace(/^\s*(\/\*\*?|\*|\/\/).*$/gm, '')
  const templates = [...code.matchAll(/html`((?:[^`\\]|\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*)`/g)].map(
    ([, text]) => text!,
  )
  const between = templates.flatMap((text) =>
    text
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, ' ')
      .replace(/<(code|dd)>[\s\S]*?<\/\1>/g, ' ')
      .split(/<[^>]*>/),
  )
  const sentences = [...code.matchAll(/(['"])([A-Z][^'"\n]* [^'"\n]*[.?])\1/g)].map(([, , text]) => text!)
  // What is left of nested templates is code, not text.
  return [...between, ...sentences]
    .map((text) => text.trim())
    .filter((text) => /[a-z]{3}/.test(text) && !/\$\{|=>|[{}]/.test(text))
}

/** For programs, or quoted from a protocol. Each has a reason. */
const ALLOWED = [
  /^Tool of an agent/, // the fold "For programs"
  /^docs\/api\.md/,
]

test('pages use the words of owners', () => {
  expect(files.length).toBeGreaterThan(50)
  const found = files.flatMap((file) =>
    shownTexts(read(file))
      .filter((text) => INTERNAL.test(text) && !ALLOWED.some((pattern) => pattern.test(text)))
      .map((text) => `${file}: ${text.slice(0, 120)}`),
  )
  expect(found).toEqual([])
})

test('a bare internal word is noticed', () => {
  expect(shownTexts('const a = html`<p>All your ${count} receipts</p>`').some((text) => INTERNAL.test(text))).toBe(true)
  expect(shownTexts("const a = 'The grant is over.'").some((text) => INTERNAL.test(text))).toBe(true)
})

/** Every `pdpp …` of the guides and of the console, as the words of a command. */
test('every command in guides and pages exists', () => {
  const program = createProgram()
  const pages = [
    ...GUIDES,
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  const texts = [...new Set(pages)].map((page) => [page, read(page)] as const)
  const console = files.map((file) => [file, read(file).replaceAll('${preferences().command}', './pdpp')] as const)
  const unknown: string[] = []
  let seen = 0
  for (const [page, text] of [...texts, ...console])
    for (const [, words] of text.matchAll(/(?:\.\/|`|\$ |^)pdpp ((?:[a-z][a-z-]*)(?: [a-z][a-z-]*)*)/gm)) {
      seen++
      let command: any = program
      for (const word of words!.split(' ')) {
        const next = command.commands.find((one: any) => one.name() === word || one.aliases().includes(word))
        if (next === undefined) {
          if (command === program || (command.commands.length > 0 && command.registeredArguments.length === 0))
            unknown.push(`${page}: pdpp ${words}`)
          break
        }
        command = next
      }
    }
  expect(seen).toBeGreaterThan(50)
  expect(unknown).toEqual([])
})

test('no guide runs a package that is not ours', () => {
  const pages = [
    'README.md',
    ...readdirSync(join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ]
  // In cli.md, npx is for the folder where the package is installed. importing.md is kept elsewhere.
  const found = pages
    .filter((page) => !['docs/importing.md', 'docs/decisions.md', 'docs/cli.md'].includes(page))
    .flatMap((page) =>
      [...read(page).matchAll(/npx pdpp|npx @pdpp\/\S+|npm install[^\n]*@pdpp\/\S+/g)].map(
        ([text]) => `${page}: ${text}`,
      ),
    )
  expect(found).toEqual([])
})
