import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { importers } from '../../packages/importers/src/importers.ts'
import { importersPage } from '../../scripts/importers-page.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = join(root, 'docs', 'importers')
/** The parts of a page; the second names a stream or a file. */
const PARTS = [
  /^## How to get the \w+\n\n\S/m,
  /^## What becomes what\n[\s\S]*`[a-z_.-]+`/m,
  /^## What is not imported\n\n\S/m,
]

test('docs/importers/README.md is what the list of importers makes it', () => {
  expect(readFileSync(join(pages, 'README.md'), 'utf8'), 'run `npm run docs`').toBe(importersPage(importers))
})

test('every importer has a page, and every page an importer', () => {
  const named = readdirSync(pages).filter((name) => name !== 'README.md')
  expect(named.toSorted()).toEqual(importers.map(({ id }) => `${id}.md`).toSorted())
})

test.each(importers.map(({ id }) => id))('the page of %s says how to get it and what becomes of it', (id) => {
  const text = readFileSync(join(pages, `${id}.md`), 'utf8')
  expect(PARTS.filter((part) => !part.test(text))).toEqual([])
})

/** The folder of an importer, which need not have its id as a name. */
function folderOf(id: string): string | undefined {
  const formats = join(root, 'packages', 'importers', 'src', 'formats')
  const sources = globSync('**/*.ts', { cwd: formats }).filter((name) => !/\.(test|fixture)\.ts$/.test(name))
  const own = sources.find((name) => readFileSync(join(formats, name), 'utf8').includes(`id: '${id}'`))
  const folder = own === undefined ? sources.find((name) => name === join(id, 'importer.ts')) : own
  return folder && join(formats, dirname(folder))
}

test.each(importers.map(({ id }) => id))('%s has a small export that stands the battery', (id) => {
  const folder = folderOf(id)
  const tests = folder === undefined ? [] : globSync('**/*.test.ts', { cwd: folder })
  const calls = tests.filter((name) => readFileSync(join(folder!, name), 'utf8').includes('importerBattery('))
  expect(calls).not.toEqual([])
})

test('the README says of every library what it does and why', () => {
  const folder = join(root, 'packages', 'importers')
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const rows = [
    ...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^\| `([\w.-]+)` \| ([^|]{20,}) \| ([^|]{15,}) \|$/gm),
  ]
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@pdpp/'))
  expect(rows.map(([, name]) => name)).toEqual(libraries)
})
