// Arrows between packages, and between folders of a package, point one way. This test reads every import.
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ARROWS } from './arrows.ts'

const root = join(import.meta.dirname, '..', '..')

const mayImport: Record<string, string[]> = {
  protocol: [],
  importers: ['protocol'],
  demo: ['protocol'],
  mcp: ['protocol'],
  server: ['protocol', 'importers', 'mcp', 'demo'],
  cli: ['protocol', 'importers', 'mcp', 'server', 'demo'],
}
const mayReadEnvironment = ['server/src/config/env.ts', 'cli/src/config/env.ts', 'mcp/src/config/env.ts']
// Our own store, and the one importer that reads databases of other programs.
const mayOpenDatabase = ['server/src/storage/', 'importers/src/reading/database.ts']
// The library that runs OAuth may change: one folder knows it, and one folder knows that folder.
const mayKnowEngine = 'server/src/authorization/engine/'
const mayUseEngine = 'server/src/authorization/'

/** Importers use no disk, network or process. They get their bytes from the only folder that opens files. */
const mayOpenFiles = 'importers/src/files/'
const disk = /^(node:)?fs(\/|$)/
const outside = /^(node:)?(fs|net|http|https|http2|dgram|tls|dns|child_process|worker_threads|cluster)(\/|$)/

const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`]([^'"`]+)['"`]/g
const environmentPattern =
  /\bprocess\??\.env\b|\{[^}]*\benv\b[^}]*\}\s*(?:=\s*process\b|from\s*['"](?:node:)?process['"])/

// The one package whose name is not that of its folder.
const folderOf = (name: string) => (name === '@pdpp/mcp-server' ? 'mcp' : name.slice('@pdpp/'.length))

/** The folder below `src`, or the file if it is directly in `src`; undefined outside of `src`. */
const folderIn = (path: string): string | undefined => path.split('/')[2]
const arrowsOf = (name: string, folder: string | undefined): string[] => (ARROWS[name]?.[folder ?? ''] ?? '').split(' ')

// `file` and the answers are paths below packages/, with forward slashes.
function mistakes(file: string, text: string): string[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  const own = file.slice(0, file.indexOf('/'))
  const found: string[] = []
  const specifiers = [...code.matchAll(importPattern)].map((match) => match[1]!)
  for (const specifier of specifiers) {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
    const name = specifier.split('/', 2).join('/')
    const other = specifier.startsWith('@pdpp/') ? folderOf(name) : own
    // Tests share their fixtures, whatever package they are in.
    if (/\.(test|cases|fixture)\.ts$/.test(file) && target?.startsWith('../tests/fixtures/')) continue
    if (target && !target.startsWith(`${own}/`)) found.push(`${file} reaches into ${target}`)
    if (other !== own && !mayImport[own]?.includes(other)) found.push(`${file} imports ${specifier}`)
    // A test may build what it needs from anywhere in its own package.
    if (/\.(test|cases|fixture)\.ts$/.test(file)) continue
    if (name === 'better-sqlite3' && !mayOpenDatabase.some((place) => file.startsWith(place)))
      found.push(`${file} opens a database itself`)
    if (name === 'oidc-provider' && !file.startsWith(mayKnowEngine)) found.push(`${file} knows the OAuth engine`)
    if (target?.startsWith(mayKnowEngine) && !file.startsWith(mayUseEngine)) found.push(`${file} imports ${target}`)
    const [from, to] = [folderIn(file), target?.startsWith(`${own}/src/`) ? folderIn(target) : undefined]
    if (to !== undefined && to !== from && !arrowsOf(own, from).includes(to)) found.push(`${file} imports ${target}`)
  }
  if (file.startsWith('importers/') && !file.endsWith('.test.ts'))
    for (const name of specifiers.filter((each) => outside.test(each)))
      if (!disk.test(name) || !file.startsWith(mayOpenFiles)) found.push(`${file} imports ${name}`)
  if (environmentPattern.test(code) && !mayReadEnvironment.includes(file) && !file.endsWith('.test.ts'))
    found.push(`${file} reads the environment`)
  return found
}

const files = globSync('packages/*/src/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))

test('every import follows the listed arrows', () => {
  const found = files.flatMap((path) =>
    mistakes(path.slice('packages/'.length), readFileSync(join(root, path), 'utf8')),
  )
  expect(files.filter((path) => !mayImport[path.split('/')[1]!])).toEqual([])
  expect(found).toEqual([])
})

/** The modules that a file loads when it runs. Imports of types alone are erased. */
function loaded(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const code = readFileSync(join(root, 'packages', file), 'utf8').replace(/^(import|export) type\b[^'"]*['"].*$/gm, '')
  for (const [, specifier] of code.matchAll(/^(?:import|export|\} from)\b[^'"\n]*['"]([^'"]+)['"]/gm))
    if (specifier!.startsWith('.')) loaded(posix.join(posix.dirname(file), specifier!), seen)
    else seen.add(specifier!)
  return seen
}

// The first search after a start waits for the thread, and validators were two fifths of its modules.
test('a thread that reads loads no validators', () => {
  const modules = loaded('server/src/storage/sqlite/engine/read-worker.ts')
  expect(modules).toContain('server/src/search/ranking/rank-matches.ts')
  expect(modules).toContain('@pdpp/protocol/reading')
  expect([...modules].filter((name) => name === 'zod' || name === '@pdpp/protocol')).toEqual([])
})

test('every folder is listed, and every listed folder exists', () => {
  const folders = new Set(files.filter((path) => !path.endsWith('.test.ts')).map((path) => path.split('/').slice(1, 4)))
  const existing = new Set([...folders].map(([name, , folder]) => `${name}/${folder}`))
  const listed = Object.entries(ARROWS).flatMap(([name, list]) =>
    Object.keys(list).map((folder) => `${name}/${folder}`),
  )
  expect(listed.toSorted()).toEqual([...existing].toSorted())
})

test.each(Object.entries(ARROWS))('the folders of %s form no cycle', (_name, arrows) => {
  // A folder can be taken away once everything that it may import has been taken away. A cycle never can.
  const left = new Map(
    Object.entries(arrows).map(([folder, may]) => [folder, may.split(' ').filter((to) => to !== '')]),
  )
  for (let size = -1; size !== left.size; ) {
    size = left.size
    for (const [folder, may] of left) if (!may.some((to) => left.has(to))) left.delete(folder)
  }
  expect([...left.keys()]).toEqual([])
})

describe('what it has to notice', () => {
  test.each([
    ['protocol/src/a.ts', `import { x } from '@pdpp/server'`],
    ['mcp/src/a.ts', `export * from '@pdpp/server/records'`],
    ['cli/src/a.ts', `import type { X } from '../../server/src/x.ts'`],
    ['demo/src/a.test.ts', `const x = await import('@pdpp/cli')`],
    ['demo/src/a.ts', `import { x } from '../../../tests/fixtures/x.ts'`],
    ['demo/src/a.test.ts', `import { x } from '../../../tests/docs/x.ts'`],
    ['server/src/records/a.ts', `import Database from 'better-sqlite3'`],
    ['server/src/authorization/a.ts', `import { errors } from 'oidc-provider'`],
    ['server/src/routes/oauth/a.ts', `import { x } from '../../authorization/engine/x.ts'`],
    ['importers/src/formats/mail/a.ts', `import Database from 'better-sqlite3'`],
    ['importers/src/formats/mail/a.ts', `import { readFile } from 'node:fs/promises'`],
    ['importers/src/a.ts', `import type { X } from '@pdpp/server'`],
    ['importers/src/run/a.ts', `import { statSync } from 'node:fs'`],
    ['importers/src/files/a.ts', `import { request } from 'node:http'`],
    ['importers/src/formats/mail/a.ts', `import type { FileInput } from '../../files/files.ts'`],
    ['importers/src/table/a.ts', `import { delimited } from '../formats/table/csv/delimited.ts'`],
    ['server/src/imports/a.ts', `import { x } from '../storage/sqlite/x.ts'`],
    ['server/src/grants/a.ts', `import {\n  x,\n} from '../storage/sqlite/x.ts'`],
    ['server/src/storage/a.ts', `import '../routes/v1/x.ts'`],
    ['server/src/http/a.ts', `import type { Grant } from '../grants/grant-store.ts'`],
    ['server/src/records/a.ts', `import type { Storage } from '../storage/contract.ts'`],
    ['server/src/search/a.ts', `import type { Context } from '../context.ts'`],
    ['server/src/context.ts', `const port = process.env['PORT']`],
    ['cli/src/main.ts', `import { env } from 'node:process'`],
    ['cli/src/main.ts', 'const { argv, env } = process'],
  ])('in %s', (file, text) => {
    expect(mistakes(file, text)).toHaveLength(1)
  })

  test.each([
    ['mcp/src/tools/a.ts', `import { x } from '@pdpp/protocol'\nimport y from './y.ts'`],
    ['cli/src/a.ts', `import { x } from '@pdpp/mcp-server'`],
    [
      'server/src/storage/a.ts',
      `import Database from 'better-sqlite3'\nimport type { G } from '../grants/grant-store.ts'`,
    ],
    ['protocol/src/a.test.ts', `import { x } from '../../../tests/fixtures/x.ts'`],
    ['server/src/config/env.ts', 'export const port = process.env.PORT'],
    ['importers/src/files/a.ts', `import { statSync } from 'node:fs'`],
    ['importers/src/run/a.ts', `import type { FileInput } from '../files/files.ts'`],
    ['server/src/context.ts', '// process.env is read in config/env.ts'],
  ])('and what it has to let pass in %s', (file, text) => {
    expect(mistakes(file, text)).toEqual([])
  })
})
