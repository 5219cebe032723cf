// `npm run bench:imports`: reads made-up exports of every format, each in a process of its own, and writes bench/imports.md.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { candidate, type ImportInput, importers } from '@pdpp/importers'
import { keepHeapSmall } from '../packages/cli/src/commands/import/small-heap.ts'
import { MADE_EXPORTS, type MadeExport } from './data/export-files.ts'

interface Measured {
  readonly importer: string
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
      const found: Measured | null = JSON.parse(stdout)
      process.stderr.write(`${made.format}: ${stdout}`)
      return { made, found }
    },
  )
  const lines = rows.flatMap(({ made, found }) => {
    if (!found) return []
    const rate = Math.round(found.records / found.cpuSeconds)
    const number = (value: number) => value.toLocaleString('en')
    return [
      `| ${made.format} | ${found.importer} | ${number(found.records)} | ${(found.bytes / 1e6).toFixed(1)} MB | ${number(rate)} | ${found.maxMegabytes} MB |`,
    ]
  })
  const table = [
    '| format | importer | records | file | records per CPU second | memory |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ]
  writeFileSync(
    options.out,
    `# Importing, by format

Reading alone: bytes in, records out, nothing is sent. ${items.toLocaleString('en')} items of made-up data for each format, one process each. Memory is the largest resident size of that process.
Made with \`npm run bench:imports\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}.

${table.join('\n')}
`,
  )
}

async function measure(made: MadeExport): Promise<Measured | null> {
  keepHeapSmall()
  let bytes = 0
  const input: ImportInput = {
    name: made.name,
    async *open() {
      bytes = 0
      for (const chunk of chunks(made.text(items))) {
        bytes += chunk.length
        yield chunk
      }
    },
  }
  const shown = await candidate(input)
  for (const importer of importers) {
    const claim = await importer.detect(shown)
    if (!claim) continue
    // A format that comes in as a table has no importer yet.
    const isTable = ['CSV', 'JSON', 'JSON Lines'].includes(made.format)
    if (!isTable && importer.id === 'tabular') return null
    const plans = await importer.streams(claim, {}, [])
    const before = process.cpuUsage()
    let [records, max] = [0, 0]
    for (const plan of plans)
      for await (const item of importer.read(plan, { saw() {}, leftOut() {}, leftOutFile() {} })) {
        if ('record' in item) records++
        if (records % 1000 === 0) max = Math.max(max, process.memoryUsage.rss())
      }
    const { user, system } = process.cpuUsage(before)
    const cpuSeconds = (user + system) / 1e6
    return { importer: importer.id, bytes, records, cpuSeconds, maxMegabytes: Math.round(max / 1e6) }
  }
  return null
}

/** Pieces of 64 KiB, as a file is read. */
function* chunks(texts: Iterable<string>): Iterable<Buffer> {
  let held: string[] = []
  let size = 0
  for (const text of texts) {
    held.push(text)
    size += text.length
    if (size < 65_536) continue
    yield Buffer.from(held.join(''))
    held = []
    size = 0
  }
  yield Buffer.from(held.join(''))
}
