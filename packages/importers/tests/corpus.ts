// Files that others wrote. PDPP_CORPORA names the folder that holds import/.
import { createReadStream, existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Importer, type ImportInput, importers } from '@pdpp/importers'
import { type ReadResult, readExport } from '../src/run/importer-battery.fixture.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
const folder = join(corpora, 'import')

export const hasCorpus: boolean = corpora !== '' && existsSync(folder)

/** The files that match a pattern, with paths relative to the collection. */
export function corpusFiles(pattern: string): ImportInput[] {
  return globSync(pattern, { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted()
    .map((name) => ({ name, open: () => createReadStream(join(folder, name)) as AsyncIterable<Uint8Array> }))
}

export const importerNamed = (id: string): Importer => importers.find((importer) => importer.id === id)!

export const readCorpus = (id: string, pattern: string): Promise<ReadResult> =>
  readExport(importerNamed(id), corpusFiles(pattern))

/** How often each value of a field occurs in a stream. */
export function counted({ records }: ReadResult, stream: string, ...names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { data } of records.filter((record) => record.stream === stream)) {
    const value = names.map((name) => String(data[name])).join(' ')
    counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}
