// The memory of an import does not grow with the export.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MADE_EXPORTS } from '../../../tests/fixtures/exports/all-exports.ts'

const MEASURE = join(import.meta.dirname, '..', '..', '..', 'bench', 'imports.ts')
const MAX_MEGABYTES = 200
/** The limit of the heap. A reader that holds its file needs more. */
const HEAP_MEGABYTES = 48
it.each(MADE_EXPORTS.map(({ format }) => format))('%s is read in flat memory', { timeout: 120_000 }, (format) => {
  const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, MEASURE, '--measure', format, '--items', '30000']
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stderr.slice(0, 500)]).toEqual([0, ''])
  const { maxMegabytes, records } = JSON.parse(stdout)
  expect(records).toBeGreaterThan(900)
  expect(maxMegabytes).toBeLessThan(MAX_MEGABYTES)
})
