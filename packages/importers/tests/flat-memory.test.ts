// The memory of an import does not grow with the export.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MADE_EXPORTS } from '../../../tests/fixtures/exports/all-exports.ts'
import { isLong } from '../../../tests/fixtures/repetitions.ts'
import type { KeptMemory } from './kept-memory.ts'

const MEASURE_KEPT = join(import.meta.dirname, 'kept-memory.ts')
const MEASURE_WHOLE = join(import.meta.dirname, '..', '..', '..', 'bench', 'imports.ts')
/** Most of the time goes into collections. Threads that help with one take longer to start than they save. */
const MEASURE_FLAGS = ['--expose-gc', '--single-threaded-gc']
const ITEMS = 3000
/** A reader that keeps its records keeps over 600 bytes of each. The facts about a file of a folder take up to 400. */
const MAX_KEPT_BYTES = 500
const MAX_MEGABYTES = 200
/** The limit of the heap for a large export. */
const HEAP_MEGABYTES = 48
const formats = MADE_EXPORTS.map(({ format }) => format)

function run(args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr.slice(0, 500)]).toEqual([0, ''])
  return stdout
}

it('no reader keeps the records that it has read', { timeout: 240_000 }, () => {
  const lines = run([...MEASURE_FLAGS, MEASURE_KEPT, String(ITEMS)])
    .trim()
    .split('\n')
  const kept = lines.map((line) => JSON.parse(line) as KeptMemory)
  expect(kept.map(({ format }) => format)).toEqual(formats)
  for (const { records } of kept) expect(records).toBeGreaterThan(900)
  expect(kept.filter(({ bytesPerRecord }) => bytesPerRecord > MAX_KEPT_BYTES)).toEqual([])
})

if (isLong)
  it.each(formats)('%s: 30,000 items are read with a small heap', { timeout: 120_000 }, (format) => {
    const flags = [`--max-old-space-size=${HEAP_MEGABYTES}`, MEASURE_WHOLE, '--measure', format, '--items', '30000']
    const { maxMegabytes, records } = JSON.parse(run(flags))
    expect(records).toBeGreaterThan(900)
    expect(maxMegabytes).toBeLessThan(MAX_MEGABYTES)
  })
