// Reads the made-up export of every format and prints how many bytes each reader keeps for a record. Run it with
// --expose-gc, because only memory that survives a collection counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { candidate, importers } from '@pdpp/importers'
import { MADE_EXPORTS } from '../../../tests/fixtures/exports/all-exports.ts'
import { exportInputs } from '../../../tests/fixtures/exports/export-inputs.ts'
import type { MadeExport } from '../../../tests/fixtures/exports/made-export.ts'
import { FileTree } from '../src/reading/input-tree.ts'

export interface KeptMemory {
  readonly format: string
  readonly records: number
  readonly bytesPerRecord: number
}

const collect = globalThis.gc as () => void
/** How often the memory is measured, at equal distances. Nearly all time goes into the collections before each look. */
const LOOKS = 4

async function liveBytes(): Promise<number> {
  // Buffers that were collected are given back in a later turn.
  collect()
  await setImmediate()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Compares the smallest of the first measurements with the smallest of the last ones, because chunks come and go. */
async function measure(made: MadeExport, items: number, folder: string): Promise<KeptMemory> {
  const importer = importers.find(({ id }) => id === made.importer)!
  const size = Math.min(items, made.maxItems ?? items)
  const inputs = exportInputs(made, size, folder)
  const claim = await importer.detect(await candidate(inputs[0]!, new FileTree(inputs)))
  if (!claim) throw new Error(`${made.importer} does not know the export that was made for it.`)
  const step = Math.floor(size / LOOKS)
  const live: number[] = []
  let records = 0
  for (const plan of await importer.streams({ ...claim, inputs }, {}, []))
    for await (const item of importer.read(plan, { saw() {}, leftOut() {}, leftOutFile() {} }))
      if ('record' in item && ++records % step === 0) live.push(await liveBytes())
  const half = live.length >> 1
  const grown = Math.min(...live.slice(-half)) - Math.min(...live.slice(0, half))
  return { format: made.format, records, bytesPerRecord: Math.round(grown / (half * step)) }
}

const folder = mkdtempSync(join(tmpdir(), 'pdpp-kept-'))
try {
  for (const made of MADE_EXPORTS) console.log(JSON.stringify(await measure(made, Number(process.argv[2]), folder)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
