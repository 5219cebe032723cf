// `npm run bench:imports` measures imports of generated exports of every format and writes bench/imports.md. It first
// reads each export alone, in a process of its own. Then it imports the export into a server with `pdpp import`. With
// `-- --offline`, no server runs.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { candidate, type ImportInput, importers } from '@pdpp/importers'
import { keepHeapSmall } from '../packages/cli/src/commands/import/small-heap.ts'
import { FileTree } from '../packages/importers/src/reading/input-tree.ts'
import { MADE_EXPORTS } from '../tests/fixtures/exports/all-exports.ts'
import { exportInputs } from '../tests/fixtures/exports/export-inputs.ts'
import type { MadeExport } from '../tests/fixtures/exports/made-export.ts'
import { type MeasuredRead, writeReport } from './imports/report.ts'
import { measureCommand } from './imports/whole-command.ts'
import { IMPORT_FLAGS } from './server/server-flags.ts'

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '20000' },
    only: { type: 'string' },
    measure: { type: 'string' },
    offline: { type: 'boolean', default: false },
    out: { type: 'string', default: join(import.meta.dirname, 'imports.md') },
  },
})
const items = Number(options.items)

if (options.measure === undefined) await compare()
else
  process.stdout.write(
    `${JSON.stringify(await measure(MADE_EXPORTS.find(({ format }) => format === options.measure)!))}\n`,
  )

async function compare(): Promise<void> {
  const rows = []
  for (const made of MADE_EXPORTS.filter(({ format }) => options.only === undefined || format === options.only)) {
    const size = Math.min(items, made.maxItems ?? items)
    const row = {
      made,
      read: readInProcess(made),
      command: await measureCommand(made, size, options.offline),
    }
    process.stderr.write(`${made.format}: ${JSON.stringify({ ...row, made: undefined })}\n`)
    rows.push(row)
  }
  writeFileSync(options.out, writeReport(rows, items, options.offline))
}

/** Reads the export in a process of its own, because memory that one format used would count for the next. */
function readInProcess({ format }: MadeExport): MeasuredRead {
  const args = [...IMPORT_FLAGS, import.meta.filename, '--measure', format, '--items', String(items)]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e7 })
  if (stdout.trim() === '') throw new Error(`${format}: ${stderr}`)
  return JSON.parse(stdout)
}

async function measure(made: MadeExport): Promise<MeasuredRead> {
  keepHeapSmall()
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-bench-'))
  try {
    return await measureIn(made, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureIn(made: MadeExport, folder: string): Promise<MeasuredRead> {
  const importer = importers.find(({ id }) => id === made.importer)!
  const inputs = exportInputs(made, Math.min(items, made.maxItems ?? items), folder)
  const sizes = new Map<string, number>()
  const counted = inputs.map((input) => ({ ...input, open: () => countedBytes(input, sizes) }))
  const claim = await importer.detect(await candidate(counted[0]!, new FileTree(counted)))
  if (!claim) throw new Error(`${made.importer} does not recognise the export that was made for it.`)
  const plans = await importer.streams({ ...claim, inputs: counted }, {}, [])
  const before = process.cpuUsage()
  let [records, max] = [0, 0]
  for (const plan of plans)
    for await (const item of importer.read(plan, { saw() {}, leftOut() {}, leftOutFile() {} })) {
      if ('record' in item) records++
      if (records % 100 === 0) max = Math.max(max, process.memoryUsage.rss())
    }
  const { user, system } = process.cpuUsage(before)
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return { bytes, records, cpuSeconds: (user + system) / 1e6, maxMegabytes: Math.round(max / 1e6) }
}

async function* countedBytes({ name, open }: ImportInput, sizes: Map<string, number>): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of open()) {
    size += chunk.length
    sizes.set(name, Math.max(size, sizes.get(name) ?? 0))
    yield chunk
  }
}
