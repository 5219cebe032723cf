// `npm run bench` compares everything with its baseline and writes results.md. `-- --quick` measures less and for a
// shorter time. `-- --only search,writes` measures only these sections. Both only print, unless `--out` names a file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAdapter } from './adapter.ts'
import { measureShapes } from './data/shapes.ts'
import { measureSize } from './measure-size.ts'
import { measurePostgres } from './postgres/measure-postgres.ts'
import { hurry } from './report/measure.ts'
import { type OtherResults, report, type SizeResult } from './report/report.ts'
import { measureLongTexts } from './search/long-texts.ts'
import { chosenSections, SECTIONS, type Section } from './sections.ts'
import { measureEvents } from './server/events.ts'

/** The size of the store whose largest stream is ingested with and without event subscriptions. */
const EVENTS_SIZE = 500_000
const QUICK_SIZE = 100_000
/** Number of records in each of the two stores. */
const POSTGRES_SIZE = 100_000

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
  },
})
const isWhole = !options.quick && options.only === undefined
const out = options.out ?? (isWhole ? join(import.meta.dirname, 'results.md') : undefined)
const sizes = (options.sizes ?? (options.quick ? String(QUICK_SIZE) : '10000,100000,1000000')).split(',').map(Number)
if (sizes.some((size) => !Number.isInteger(size) || size < 1000)) throw new Error('Sizes are whole numbers from 1000.')
sizes.sort((a, b) => a - b)
const sections = chosenSections(options.only, options.quick)
if (options.quick) hurry()

const started = performance.now()
const say = (text: string) =>
  process.stderr.write(`[${((performance.now() - started) / 1000).toFixed(0).padStart(3)} s] ${text}\n`)

const directory = mkdtempSync(join(tmpdir(), 'pdpp-bench-'))
process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

async function part<T>(section: Section, measure: () => Promise<T>): Promise<T | undefined> {
  if (!sections.has(section)) return
  say(section)
  return await measure()
}

const others: OtherResults = {
  shapes: await part('growth', () => measureShapes((name) => join(directory, name))),
  longTexts: await part('long', () => measureLongTexts(join(directory, 'texts'))),
  adapter: await part('adapter', () => measureAdapter()),
  postgres: await part('postgres', () =>
    measurePostgres(join(directory, 'postgres'), Math.min(POSTGRES_SIZE, ...sizes)),
  ),
  events: await part('events', () =>
    measureEvents(join(directory, 'events'), options.quick ? QUICK_SIZE : EVENTS_SIZE),
  ),
}
const storeSections = SECTIONS.filter((section) => !['long', 'adapter', 'events', 'postgres'].includes(section))
const results: SizeResult[] = []
for (const size of storeSections.some((section) => sections.has(section)) ? sizes : []) {
  const place = join(directory, String(size))
  mkdirSync(place)
  results.push(await measureSize(size, { directory: place, sizes, sections, say, smaller: results.at(-1) }))
  rmSync(place, { recursive: true, force: true })
  // The report is written after each size, so that a run that is stopped keeps its results.
  if (out !== undefined) writeFileSync(resolve(out), textNow())
}
if (out !== undefined) writeFileSync(resolve(out), textNow())
process.stdout.write(textNow())

function textNow(): string {
  return report(results, others, (performance.now() - started) / 60_000)
}
