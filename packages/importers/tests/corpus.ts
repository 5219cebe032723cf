// Reads files that others wrote as an import does, without a server. They are in `import/` below PDPP_CORPORA.
import { createReadStream, existsSync, globSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DatabaseCopies,
  findFiles,
  type ImportedRecord,
  type Importer,
  type ImportInput,
  type ImportOverrides,
  type ImportPlan,
  importers,
  recognise,
} from '@pdpp/importers'
import type { ImportProblem } from '../src/importer.ts'
import { type Coverage, CoverageTally } from '../src/run/coverage.ts'
import { type ReadResult, readExport } from '../src/run/importer-battery.fixture.ts'

const corpora = process.env['PDPP_CORPORA'] ?? ''
export const corpusFolder = join(corpora, 'import')
/** False if PDPP_CORPORA names no folder with import/ in it. Then these tests are skipped. */
export const hasCorpus: boolean = corpora !== '' && existsSync(corpusFolder)

type Row = Readonly<Record<string, any>>

/** The files that match a pattern, with paths relative to the collection. */
export function corpusFiles(pattern: string): ImportInput[] {
  return globSync(pattern, { cwd: corpusFolder })
    .filter((path) => statSync(join(corpusFolder, path)).isFile())
    .toSorted()
    .map((name) => ({ name, open: () => createReadStream(join(corpusFolder, name)) as AsyncIterable<Uint8Array> }))
}

export const importerNamed = (id: string): Importer => importers.find((importer) => importer.id === id)!

/** Reads files with one importer, even if another one would claim them. */
export const readCorpus = (id: string, pattern: string): Promise<ReadResult> =>
  readExport(importerNamed(id), corpusFiles(pattern))

interface ReadPlan {
  readonly importer: Importer
  readonly plan: ImportPlan
  readonly records: ImportedRecord[]
  readonly problems: ImportProblem[]
  readonly coverage: Coverage
}

/** Runs everything that an import does before it writes, plan by plan, for files or folders of the collection. */
async function readPlans(
  paths: readonly string[],
  { isRead, overrides = {} }: { isRead: (importer: Importer) => boolean; overrides?: ImportOverrides },
): Promise<{ plans: ReadPlan[]; failed: string[] }> {
  const copies = new DatabaseCopies(tmpdir())
  const failed: string[] = []
  const fail = (name: string, error: unknown) => failed.push(`${name}: ${(error as Error).message}`)
  const places = paths.map((path) => join(corpusFolder, path))
  const found = await recognise(await findFiles(places, copies, fail), [], fail, new AbortController().signal)
  const plans: ReadPlan[] = []
  for (const { importer, claim } of found.filter((each) => isRead(each.importer)))
    for (const plan of await importer.streams(claim, overrides, [])) {
      const tally = new CoverageTally()
      const [records, problems]: [ImportedRecord[], ImportProblem[]] = [[], []]
      const inputs = plan.inputs.map((input) => tally.watched(input))
      for await (const item of importer.read({ ...plan, inputs }, tally))
        if ('record' in item) {
          records.push(item.record)
          tally.imported(item.record.stream)
        } else {
          problems.push(item.problem)
          if (!item.problem.kept && item.problem.kind !== undefined) tally.lost(item.problem.kind)
        }
      plans.push({ importer, plan, records, problems, coverage: tally.result(true) })
    }
  copies.remove()
  return { plans, failed }
}

export interface RealImport {
  readonly plans: ImportPlan[]
  readonly records: ImportedRecord[]
  readonly problems: ImportProblem[]
  readonly coverage: Coverage
  of(stream: string): Row[]
}

/** Everything that the importers find below the paths, by the id of the importer. Tables are left out. */
export async function importAll(...paths: string[]): Promise<ReadonlyMap<string, RealImport>> {
  const { plans, failed } = await readPlans(paths, { isRead: ({ kind }) => kind !== 'tables' })
  if (failed.length > 0) throw new Error(failed[0])
  const byImporter = Map.groupBy(plans, ({ importer }) => importer.id)
  return new Map(
    [...byImporter].map(([id, own]) => {
      const records = own.flatMap((each) => each.records)
      const of = (stream: string) => records.filter((record) => record.stream === stream).map(({ data }) => data)
      const problems = own.flatMap((each) => each.problems)
      const coverage = sumOf(own.map((each) => each.coverage))
      return [id, { plans: own.map(({ plan }) => plan), records, problems, coverage, of }]
    }),
  )
}

function sumOf(all: readonly Coverage[]): Coverage {
  const sum = (of: (each: Coverage) => number) => all.reduce((total, each) => total + of(each), 0)
  return {
    files: { seen: sum(({ files }) => files.seen), read: sum(({ files }) => files.read) },
    items: { seen: sum(({ items }) => items.seen), imported: sum(({ items }) => items.imported) },
    kinds: all.flatMap(({ kinds }) => kinds),
    leftOut: all.flatMap(({ leftOut }) => leftOut),
    unexplained: sum(({ unexplained }) => unexplained),
  }
}

export interface RealChat {
  readonly importer: string
  readonly name: string
  readonly streams: Readonly<Record<string, readonly Row[]>>
  readonly messages: readonly Row[]
  readonly problems: readonly string[]
  readonly unexplained: number
  /** How many items of each kind the reader saw. */
  readonly seen: Readonly<Record<string, number>>
}

/** The chats below the paths, one by one. */
export async function readChats(paths: readonly string[], overrides: ImportOverrides = {}): Promise<RealChat[]> {
  const { plans, failed } = await readPlans(paths, { isRead: ({ kind }) => kind === 'chats', overrides })
  return plans.map(({ importer, plan, records, problems, coverage }) => {
    const byStream = Map.groupBy(records, ({ stream }) => stream)
    const streams = Object.fromEntries([...byStream].map(([name, of]) => [name, of.map(({ data }) => data)]))
    return {
      importer: importer.id,
      name: plan.connection?.name ?? plan.declaration.display.name,
      streams,
      messages: streams['messages'] ?? [],
      problems: [...failed, ...problems.map(({ reason }) => reason)],
      unexplained: coverage.unexplained,
      seen: Object.fromEntries(coverage.kinds.map(({ kind, seen }) => [kind, seen])),
    }
  })
}

/** How often each value of a field, or of several together, occurs. */
export function countBy(rows: readonly Row[], ...fields: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(rows, (row) => fields.map((field) => String(row[field])).join(' '))
  return Object.fromEntries([...groups].map(([value, own]) => [value, own.length]))
}

/** The same for the records of one stream. */
export const counted = ({ records }: ReadResult, stream: string, ...fields: readonly string[]) =>
  countBy(
    records.filter((record) => record.stream === stream).map(({ data }) => data),
    ...fields,
  )
