// docs/architecture.md names folders and files. They exist, and no folder of the source is missing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ARROWS } from '../repository/arrows.ts'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const exists = (path: string) => existsSync(join(root, path))

/** The text from this heading to the next one of its level or a higher one. */
function section(heading: string): string {
  const level = heading.split(' ')[0]!.length
  const [, rest] = page.split(`\n${heading}\n`)
  if (rest === undefined) throw new Error(`docs/architecture.md has no heading "${heading}"`)
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0]!
}

const inBackticks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, path]) => path!)

describe.each(Object.keys(ARROWS))('packages/%s', (name) => {
  const text = section(`### \`packages/${name}/src\``)
  const listed = [...text.matchAll(/^- `([^`]+)`:/gm)].map(([, folder]) => folder!)
  const folders = Object.keys(ARROWS[name]!).filter((folder) => !folder.endsWith('.ts'))

  test('has a sentence for every folder', () => {
    const mentioned = new Set(inBackticks(text))
    expect(folders.filter((folder) => !mentioned.has(folder))).toEqual([])
  })

  test('names folders that exist', () => {
    expect(listed.filter((folder) => !exists(`packages/${name}/src/${folder}`))).toEqual([])
  })
})

describe('a journey', () => {
  const journeys = section('## Four journeys')

  test('names files that exist', () => {
    const files = inBackticks(journeys).filter((path) => /^(server|mcp|importers|protocol|cli|demo)\//.test(path))
    expect(files.length).toBeGreaterThan(70)
    expect(files.filter((path) => !exists(`packages/${path}`))).toEqual([])
  })

  test.each(['A hosted search', 'An import in the console', 'A consent', 'A revocation'])('%s has steps', (name) => {
    expect(section(`### ${name}`).match(/^\d+\. `/gm)?.length).toBeGreaterThan(3)
  })
})

describe('the table of old and new paths', () => {
  const parts = section('## Appendix: where files went').split(/^### /m).slice(1)
  const rows = parts.flatMap((part) => {
    const base = inBackticks(part.split('\n', 1)[0]!)[0] ?? '.'
    return [...part.matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
      .filter(([, before]) => before !== 'before' && before !== '---')
      .map(([, before, now, files]) => ({ base, before: before!, now: now!, files: files! }))
  })

  test('is short enough to read', () => {
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.length).toBeLessThan(150)
  })

  test('names new folders and files that exist', () => {
    const paths = rows.flatMap(({ base, now, files }) => {
      const folder = join(base, inBackticks(now)[0] ?? '.')
      return [folder, ...inBackticks(files).map((file) => join(folder, file))]
    })
    expect(paths.length).toBeGreaterThan(400)
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })
})
