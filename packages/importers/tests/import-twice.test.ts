// Importing a folder again changes nothing, in whatever order its files come, and with a zip of it beside it.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseCopies, type FileInput, findFiles, planAll, recognise, runImport } from '@pdpp/importers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { storedZip } from '../../../tests/fixtures/stored-zip.ts'
import { MemoryDestination } from '../src/run/memory-destination.fixture.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
const root = join(corpora, 'import')
const here = corpora !== '' && existsSync(root)
const folders = here ? readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory()) : []
/** Larger folders are imported twice, and not zipped. */
const MAX_ZIPPED_BYTES = 8_000_000

const reversed = (files: FileInput[]) => files.toReversed()
const turned = (files: FileInput[]) => [...files.slice(files.length >> 1), ...files.slice(0, files.length >> 1)]

/** Imports as the command does, and returns the number of new and changed records. */
async function importAll(
  to: MemoryDestination,
  paths: string[],
  order: (files: FileInput[]) => FileInput[] = (files) => files,
) {
  const copies = new DatabaseCopies(tmpdir())
  try {
    const files = order(await findFiles(paths, copies, () => {}))
    const { signal } = new AbortController()
    const found = await recognise(files, [], () => {}, signal)
    const sources = await planAll(
      found,
      await to.sources(),
      () => ({}),
      () => {},
    )
    const sum = { new: 0, changed: 0, unexplained: [] as unknown[] }
    for (const work of sources) {
      const { streams, coverage, source } = await runImport(to, work, { dryRun: false, signal })
      for (const stream of streams) {
        sum.new += stream.new
        sum.changed += stream.changed
      }
      if (coverage.unexplained !== 0) sum.unexplained.push([source, coverage.kinds])
    }
    return sum
  } finally {
    copies.remove()
  }
}

const NOTHING = { new: 0, changed: 0, unexplained: [] }

describe.skipIf(!here)('a folder that is imported again changes nothing', () => {
  it.each(folders)('%s', { timeout: 300_000 }, async (name) => {
    const to = new MemoryDestination()
    const path = join(root, name)
    const first = await importAll(to, [path])
    expect(first.unexplained).toEqual([])
    expect(await importAll(to, [path], reversed)).toEqual(NOTHING)
    expect(await importAll(to, [path], turned)).toEqual(NOTHING)
    const place = mkdtempSync(join(tmpdir(), 'pdpp-twice-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    if (!zipBeside(path, place, name)) return
    const both = new MemoryDestination()
    await importAll(both, [join(place, `${name}.zip`), path])
    expect(await importAll(both, [path, join(place, `${name}.zip`)], reversed)).toEqual(NOTHING)
  })
})

if (!here) it.skip('a folder imported twice: needs PDPP_CORPORA, which holds import/', () => {})

function zipBeside(path: string, place: string, name: string): boolean {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(path, file)).isFile(),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0)
  if (bytes > MAX_ZIPPED_BYTES) return false
  const contents = Object.fromEntries(files.map((file) => [file, readFileSync(join(path, file))]))
  writeFileSync(join(place, `${name}.zip`), storedZip(contents))
  return true
}
