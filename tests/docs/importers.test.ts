import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importers } from '../../packages/importers/src/importers.ts'
import { importersPage } from '../../scripts/importers-page.ts'

const root = join(import.meta.dirname, '..', '..')
const pages = join(root, 'docs', 'importers')
const HEADINGS = [/^## How to get the (export|files)$/m, /^## What becomes what$/m, /^## What is not imported$/m]

test('docs/importers/README.md is what the list of importers makes it', () => {
  expect(readFileSync(join(pages, 'README.md'), 'utf8'), 'run `npm run docs`').toBe(importersPage(importers))
})

test('every importer has a page, and every page an importer', () => {
  const named = readdirSync(pages).filter((name) => name !== 'README.md')
  expect(named.toSorted()).toEqual(importers.map(({ id }) => `${id}.md`).toSorted())
})

test.each(importers.map(({ id }) => id))('the page of %s says how to get it and what becomes of it', (id) => {
  const text = readFileSync(join(pages, `${id}.md`), 'utf8')
  expect(HEADINGS.filter((heading) => !heading.test(text))).toEqual([])
})

test.each(importers.map(({ id }) => id))('%s has a small export that stands the battery', (id) => {
  const folder = join(root, 'packages', 'importers', 'src', 'formats', id === 'tabular' ? 'table' : id)
  const tests = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  const calls = tests.filter(
    (name) => name.endsWith('.test.ts') && readFileSync(join(folder, name), 'utf8').includes('importerBattery('),
  )
  expect(calls).not.toEqual([])
})
