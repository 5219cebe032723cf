// `npm run bench:imports`: reads made-up exports of every format, each in a process of its own, and writes bench/imports.md.
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

interface Measured {
  readonly bytes: number
  readonly records: number
  readonly cpuSeconds: number
  readonly maxMegabytes: number
}

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '100000' },
    only: { type: 'string' },
    measure: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'imports.md') },
  },
})
const items = Number(options.items)

if (options.measure === undefined) compare()
else
  process.stdout.write(
    `${JSON.stringify(await measure(MADE_EXPORTS.find(({ format }) => format === options.measure)!))}\n`,
  )

/** Each format gets a process of its own, because memory that one format used would count for the next. */
function compare(): void {
  const rows = MADE_EXPORTS.filter(({ format }) => options.only === undefined || format === options.only).map(
    (made) => {
      const args = [import.meta.filename, '--measure', made.format, '--items', String(items)]
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e7 })
      if (stdout.trim() === '') throw new Error(`${made.format}: ${stderr}`)
      const found: Measured = JSON.parse(stdout)
      process.stderr.write(`${made.format}: ${stdout}`)
      return { made, found }
    },
  )
  const lines = rows.map(({ made, found }) => {
    const rate = Math.round(found.records / found.cpuSeconds)
    const number = (value: number) => value.toLocaleString('en')
    return `| ${made.format} | ${made.importer} | ${number(found.records)} | ${(found.bytes / 1e6).toFixed(1)} MB | ${number(rate)} | ${found.maxMegabytes} MB |`
  })
  const table = [
    '| format | importer | records | file | records per CPU second | memory |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ]
  writeFileSync(
    options.out,
    `# Importing, by format

Reading alone: bytes in, records out, nothing is sent. ${items.toLocaleString('en')} items of made-up data for each format, fewer where each item is a file, one process each. Memory is the largest resident size of that process.
Made with \`npm run bench:imports\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}.

${table.join('\n')}
`,
  )
}

async function measure(made: MadeExport): Promise<Measured> {
  keepHeapSmall()
  const folder = mkdtempSync(join(tmpdir(), 'pdpp-bench-'))
  try {
    return await measureIn(made, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureIn(made: MadeExport, folder: string): Promise<Measured> {
  const importer = importers.find(({ id }) => id === made.importer)!
  const inputs = exportInputs(made, Math.min(items, made.maxItems ?? items), folder)
  const sizes = new Map<string, number>()
  const counted = inputs.map((input) => ({ ...input, open: () => countedBytes(input, sizes) }))
  const claim = await importer.detect(await candidate(counted[0]!, new FileTree(counted)))
  if (!claim) throw new Error(`${made.importer} does not know the export that was made for it.`)
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
