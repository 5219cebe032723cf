// Importing a folder again changes nothing, in any order of its files, and with a zip of the folder next to it.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileInput } from '@pdpp/importers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isLong, repetitions } from '../../../tests/fixtures/repetitions.ts'
import { storedZip } from '../../../tests/fixtures/stored-zip.ts'
import { MemoryDestination } from '../src/run/memory-destination.fixture.ts'
import { importInto } from './import-into.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
const root = join(corpora, 'import')
const here = corpora !== '' && existsSync(root)
const folders = here ? readdirSync(root).filter((name) => statSync(join(root, name)).isDirectory()) : []
/** Larger folders are imported without a zip. */
const MAX_ZIPPED_BYTES = repetitions(250_000, 8_000_000)

const reversed = (files: FileInput[]) => files.toReversed()
const turned = (files: FileInput[]) => [...files.slice(files.length >> 1), ...files.slice(0, files.length >> 1)]

const NOTHING = { new: 0, changed: 0, unexplained: [] }

describe.skipIf(!here)('a folder that is imported again changes nothing', () => {
  it.each(folders)('%s', { timeout: 300_000 }, async (name) => {
    const to = new MemoryDestination()
    const path = join(root, name)
    const first = await importInto(to, [path])
    expect(first.unexplained).toEqual([])
    expect(await importInto(to, [path], reversed)).toEqual(NOTHING)
    if (isLong) expect(await importInto(to, [path], turned)).toEqual(NOTHING)
    const place = mkdtempSync(join(tmpdir(), 'pdpp-twice-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    const zip = zipBeside(path, place, name)
    if (!zip) return
    const both = new MemoryDestination()
    await importInto(both, [zip, path])
    expect(await importInto(both, [path, zip], reversed)).toEqual(NOTHING)
  })
})

if (!here) it.skip('a folder imported twice: needs PDPP_CORPORA, which holds import/', () => {})

/** Writes a zip of the folder, and returns its path. */
function zipBeside(path: string, place: string, name: string): string | undefined {
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(path, file)).isFile(),
  )
  const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0)
  if (bytes > MAX_ZIPPED_BYTES) return
  const contents = Object.fromEntries(files.map((file) => [file, readFileSync(join(path, file))]))
  const zip = join(place, `${name}.zip`)
  writeFileSync(zip, storedZip(contents))
  return zip
}
