// The docs say what is there: routes, errors, settings, commands, links and examples are compared with the code.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  checkDeclaration,
  ERRORS,
  type ErrorCode,
  errorType,
  NEXT_STEPS,
  type NextSteps,
  reasonsOf,
} from '@pdpp/protocol'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../packages/cli/src/program.ts'
import { pathOf } from '../../packages/cli/src/reference/command-tree.ts'
import { commandReference, leaves } from '../../packages/cli/src/reference/markdown.ts'
import { runPdpp, temporaryDirectory } from '../fixtures/processes.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['*.md', 'docs/*.md'], { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const allMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!)
const sorted = (items: Iterable<string>) => [...new Set(items)].sort()

/** The contents of fenced blocks in a language. */
const blocks = (text: string, language: string) =>
  allMatches(text, new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

/** First cells of a page's table rows, without their backticks. */
const rows = (text: string) => [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, name, rest]) => [name!, rest!])

test('docs/api.md describes every route, and no other', () => {
  const source = read('packages/server/src/app.ts') + read('packages/server/src/console/pages.ts')
  const routes = [...source.matchAll(/app\.(get|post|put|patch|delete)\('([^']+)'/g)].map(
    ([, method, path]) => `${method!.toUpperCase()} ${path!.replace(/:(\w+)/g, '{$1}')}`,
  )
  expect(routes.length).toBeGreaterThan(20)
  expect(sorted(allMatches(read('docs/api.md'), /^### `([A-Z]+ [^`]+)`$/gm))).toEqual(sorted(routes))
})

/** The text of docs/api.md below the heading of a route. */
const section = (route: string) =>
  read('docs/api.md')
    .split(`\n### \`${route}\`\n`)[1]
    ?.split(/\n##+ /)[0] ?? ''

test('docs/api.md describes every parameter of a read, at its route', () => {
  const known = globSync('packages/server/src/routes/v1/*.ts', { cwd: root }).flatMap((file) => {
    const source = read(file)
    const list = source.match(/const PARAMETERS = \[([^;]*?)\]\n/)?.[1]
    const route = source.match(/^\/\*\* (GET [^ ]+) \*\/$/m)?.[1] ?? file
    return allMatches(list ?? '', /'([^']+)'/g).map((name) => ({ route, name }))
  })
  expect(new Set(known.map(({ route }) => route)).size).toBeGreaterThan(5)
  const missing = known.filter(({ route, name }) => {
    // `filter[field]` stands for any name in the brackets; a value may follow, as in `view=compact`.
    const family = /\[\w+\]$/.test(name)
    const shown = family ? [`\`${name.split('[')[0]}[`] : [`\`${name}\``, `\`${name}=`, `\`${name.replace('[]', '[')}`]
    return !shown.some((text) => section(route).includes(text))
  })
  expect(missing).toEqual([])
})

/** The rows of docs/errors.md before or after the heading of its second table. */
const errorRows = (part: 0 | 1) =>
  rows(read('docs/errors.md').split('\n## On other surfaces\n')[part] ?? '').map(([code, rest]) =>
    `${code} | ${rest}`.replaceAll('\\<', '<'),
  )

test('docs/errors.md lists every code and no other', () => {
  const table = errorRows(0)
  const expected = Object.entries(ERRORS).map(
    ([code, { status, nextStep }]) => `${code} | ${status} | \`${errorType(status)}\` | ${nextStep}`,
  )
  expect(table.toSorted()).toEqual(expected.toSorted())
})

test('docs/errors.md lists where other surfaces use other words', () => {
  const row = (name: string, { tool, command, console }: NextSteps) => `${name} | ${tool} | ${command} | ${console}`
  const expected = (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) => {
    const steps = NEXT_STEPS[code]
    const differs = new Set(Object.values(steps)).size > 1
    const reasons = Object.entries(reasonsOf(code)).map(([reason, words]) => row(`${code}, ${reason}`, words))
    return [...(differs ? [row(code, steps)] : []), ...reasons]
  })
  expect(errorRows(1).toSorted()).toEqual(expected.toSorted())
})

test('error codes that docs/api.md gives with a status have that status', () => {
  const wrong = [...withoutBlocks(read('docs/api.md')).matchAll(/\b([45]\d\d)\s((?:`[a-z_]+`(?:,\s)?)+)/g)].flatMap(
    ([, status, codes]) =>
      allMatches(codes!, /`([a-z_]+)`/g)
        .filter((code) => ERRORS[code as keyof typeof ERRORS]?.status !== Number(status))
        .map((code) => `${status} ${code}`),
  )
  expect(wrong).toEqual([])
})

test('docs/configuration.md lists every environment variable, and no other', () => {
  const names = allMatches(read('packages/server/src/config/env.ts'), /env\['(\w+)'\]/g)
  expect(sorted(rows(read('docs/configuration.md')).map(([name]) => name!))).toEqual(sorted(names))
})

test('docs/cli.md is what the definition of the commands makes it', () => {
  expect(read('docs/cli.md'), 'run `npm run docs`').toBe(commandReference(createProgram()))
})

test('docs/cli.md describes every command and flag and no other', async () => {
  const sections = read('docs/cli.md')
    .split(/^## pdpp /m)
    .slice(1)
  const described = sections.flatMap((section) => {
    const [heading] = section.split('\n', 1)
    return [heading!, ...rows(section).map(([flag]) => `${heading} ${flag!.split(' ')[0]}`)]
  })
  const found = leaves(createProgram()).flatMap((command) => {
    const path = pathOf(command).join(' ')
    return [path, ...allMatches(command.helpInformation(), /^ {2}(--[a-z-]+)/gm).map((flag) => `${path} ${flag}`)]
  })
  expect(found.length).toBeGreaterThan(150)
  expect(sorted(described)).toEqual(sorted(found))
  // The comparison is of the text that people see.
  const shown = await runPdpp(['read', 'streams', '--help'], { dataDir: temporaryDirectory() })
  const streams = leaves(createProgram()).find((command) => pathOf(command).join(' ') === 'read streams')!
  // The program name is the one that works where the test runs.
  const printed = shown.stdout.replace(/^Usage: \S*pdpp /, 'Usage: pdpp ')
  expect([shown.code, printed]).toEqual([0, streams.helpInformation()])
})

test('the commands that the README starts with are scripts', () => {
  const { scripts } = JSON.parse(read('package.json'))
  expect(allMatches(read('README.md'), /^\$ npm (\w+)$/gm)).toEqual(['start', 'test'])
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']))
  const named = pages.flatMap((page) => allMatches(read(page), /npm run ([\w:]+)/g))
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

describe.each(pages)('%s', (page) => {
  const text = read(page)

  test('links to files and headings that exist', () => {
    const links = allMatches(withoutBlocks(text), /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link))
    const broken = links.filter((link) => {
      const [path = '', heading] = link.split('#')
      const target = path === '' ? page : join(dirname(page), path)
      return !existsSync(join(root, target)) || (heading !== undefined && !anchors(read(target)).includes(heading))
    })
    expect(broken).toEqual([])
  })

  test('names files that exist', () => {
    const paths = allMatches(text, /`((?:packages|docs|scripts|tests|bench|conformance)\/[\w./-]+)`/g)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  test('has JSON that parses', () => {
    for (const block of blocks(text, 'json')) expect(() => JSON.parse(block), block).not.toThrow()
  })
})

/** The anchors that GitHub makes of headings. */
function anchors(text: string): string[] {
  return allMatches(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('the declarations that readers will copy are accepted', () => {
  const guide = blocks(read('docs/declaring-a-source.md'), 'json')
  const start = allMatches(read('docs/tour-of-the-reads.md'), /<<'JSON'\n([\s\S]*?)\nJSON$/gm)
  expect([guide.length, start.length]).toEqual([1, 1])
  for (const example of [...guide, ...start]) {
    expect(checkDeclaration(JSON.parse(example))).toHaveProperty('declaration.connector_key', 'reading-list')
  }
})
