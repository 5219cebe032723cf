import type { FileInput } from '../files/files.ts'
import type { ImportedRecord, ImportPlan, ImportProblem } from '../importer.ts'
import type { BlobCount } from './blob-delivery.ts'
import { chooseConnection } from './connection.ts'
import { CoverageTally } from './coverage.ts'
import { Delivery, type StreamCount } from './delivery.ts'
import type { Destination } from './destination.ts'
import type { WorkPlan } from './plan.ts'
import { ProgressMeter } from './progress.ts'
import { KEPT_PROBLEMS, type ReportedProblem, reportedProblem, type SourceResult } from './result.ts'

export interface ProgressView {
  /** Called for every record, so it must be cheap. */
  show(input: string, records: number, meter: ProgressMeter): void
  clear?(): void
}

export interface ImportRunOptions {
  readonly connection?: string | undefined
  readonly dryRun: boolean
  readonly signal: AbortSignal
  readonly progress?: ProgressView | undefined
  /** Called immediately for every problem. */
  readonly onProblem?: ((problem: ReportedProblem) => void) | undefined
}

/** Carries out the plans of one source. */
export async function runImport(
  to: Destination,
  work: readonly WorkPlan[],
  options: ImportRunOptions,
): Promise<SourceResult> {
  const { plan: first } = work[0]!
  const started = performance.now()
  const connectorKey = first.declaration.connector_key
  const run = new Run(work, options)
  let connectionId: string | null = null
  if (options.dryRun) for (const each of work.toReversed()) await run.read(each, undefined)
  else {
    const stored = (await to.sources()).find((source) => source.connector_key === connectorKey)
    const settled = work.map(({ importer, plan }): WorkPlan => {
      const declaration = (stored && importer.settle?.(plan.declaration, stored)) ?? plan.declaration
      return { importer, plan: { ...plan, declaration } }
    })
    // The plan of a later file includes the columns of all earlier files.
    await to.declare(settled.at(-1)!.plan.declaration)
    connectionId = await chooseConnection(to, connectorKey, options.connection, nameOf(first), first.connection)
    const before = await to.recordCounts(connectionId)
    // Reads the last file first. Its name is probably the newest, and if two files have the same record, the first one
    // read is used.
    for (const each of settled.toReversed()) {
      const delivery = new Delivery(to, { connectorKey, connectionId }, (problem) => run.refused(problem))
      try {
        await run.read(each, delivery)
      } finally {
        await delivery.finish().finally(() => run.add(delivery.counts, delivery.blobs.count))
      }
      if (options.signal.aborted) break
    }
    run.compare(before, await to.recordCounts(connectionId))
  }
  return run.result(connectionId, (performance.now() - started) / 1000)
}

const nameOf = ({ connection, declaration }: ImportPlan): string => connection?.name ?? declaration.display.name

class Run {
  readonly #work: readonly WorkPlan[]
  readonly #options: ImportRunOptions
  readonly #meter: ProgressMeter
  readonly #read = new Map<string, number>()
  readonly #counts = new Map<string, StreamCount>()
  readonly #new = new Map<string, number>()
  readonly #problems: ReportedProblem[] = []
  readonly #tally = new CoverageTally()
  readonly #days = new Map<string, { first: string; last: string }>()
  readonly #blobs: BlobCount = { sent: 0, bytes: 0, unchanged: 0 }
  #problemCount = 0
  #records = 0

  constructor(work: readonly WorkPlan[], options: ImportRunOptions) {
    this.#work = work
    this.#options = options
    const files = work.flatMap(({ plan }) => plan.inputs as readonly FileInput[])
    const expected = work.flatMap(({ plan }) => plan.streams.map((stream) => stream.expected))
    const known = expected.every((count) => count !== undefined)
    const total = known ? expected.reduce((sum, count) => sum + count, 0) : undefined
    this.#meter = new ProgressMeter(files, total)
  }

  async read({ importer, plan }: WorkPlan, delivery: Delivery | undefined): Promise<void> {
    const times = new Map(
      plan.declaration.streams.map(({ name, consent_time_field: field }) => [name, field ?? undefined]),
    )
    const watched = { ...plan, inputs: plan.inputs.map((input) => this.#tally.watched(input)) }
    try {
      for await (const item of importer.read(watched, this.#tally)) {
        if ('problem' in item) this.#lost(item.problem)
        else {
          this.#records++
          this.#tally.imported(item.record.stream)
          this.#read.set(item.record.stream, (this.#read.get(item.record.stream) ?? 0) + 1)
          this.#noteDay(item.record, times)
          await delivery?.add(item.record)
          this.#options.progress?.show(item.record.place.input, this.#records, this.#meter)
        }
        if (this.#options.signal.aborted) break
      }
    } finally {
      this.#options.progress?.clear?.()
    }
  }

  /** Compares days as texts, which is exact enough for a span. */
  #noteDay({ stream, data }: ImportedRecord, times: ReadonlyMap<string, string | undefined>): void {
    const field = times.get(stream)
    const day = field === undefined ? undefined : /^(?:19|20)\d\d-\d\d-\d\d/.exec(String(data[field]))?.[0]
    if (day === undefined) return
    const known = this.#days.get(stream)
    if (!known) this.#days.set(stream, { first: day, last: day })
    else if (day < known.first) known.first = day
    else if (day > known.last) known.last = day
  }

  #lost(problem: ImportProblem): void {
    if (!problem.kept && problem.kind !== undefined) this.#tally.lost(problem.kind)
    this.#note(problem)
  }

  /** Called when the server refused a record or one of its files. */
  refused(problem: ImportProblem): void {
    if (!problem.kept && problem.kind !== undefined) this.#tally.lost(problem.kind, true)
    this.#note(problem)
  }

  #note(problem: ImportProblem): void {
    this.#problemCount++
    const reported = reportedProblem(problem)
    if (this.#problems.length < KEPT_PROBLEMS) this.#problems.push(reported)
    this.#options.onProblem?.(reported)
  }

  add(counts: ReadonlyMap<string, StreamCount>, blobs: BlobCount): void {
    for (const what of ['sent', 'bytes', 'unchanged'] as const) this.#blobs[what] += blobs[what]
    for (const [stream, { sent, written, unchanged, rejected }] of counts) {
      const total = this.#counts.get(stream) ?? { sent: 0, written: 0, unchanged: 0, rejected: 0 }
      total.sent += sent
      total.written += written
      total.unchanged += unchanged
      total.rejected += rejected
      this.#counts.set(stream, total)
    }
  }

  /** The server reports written records; new ones are the difference of the counts before and after. */
  compare(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
    for (const [stream, { written }] of this.#counts) {
      const grown = (after.get(stream) ?? 0) - (before.get(stream) ?? 0)
      this.#new.set(stream, Math.max(0, Math.min(written, grown)))
    }
  }

  result(connectionId: string | null, seconds: number): SourceResult {
    const { plan: first } = this.#work[0]!
    const files = this.#work.flatMap(({ plan }) => plan.inputs.map((input) => input.name))
    const names = [...new Set(this.#work.flatMap(({ plan }) => plan.streams.map((stream) => stream.name)))]
    return {
      source: first.declaration.connector_key,
      connectionId,
      name: nameOf(first),
      match: first.match,
      files: files.slice(0, KEPT_PROBLEMS),
      fileCount: files.length,
      streams: names.map((name) => {
        const count = this.#counts.get(name)
        const added = this.#new.get(name) ?? 0
        return {
          name,
          recordsRead: this.#read.get(name) ?? 0,
          new: added,
          changed: (count?.written ?? 0) - added,
          unchanged: count?.unchanged ?? 0,
          refused: count?.rejected ?? 0,
          ...(this.#days.has(name) ? { days: this.#days.get(name)! } : {}),
        }
      }),
      blobs: { ...this.#blobs },
      coverage: this.#tally.result(!this.#options.signal.aborted),
      problemCount: this.#problemCount,
      problems: this.#problems,
      notices: this.#work.flatMap(({ plan }) => plan.notices),
      seconds: Math.round(seconds * 100) / 100,
      interrupted: this.#options.signal.aborted,
    }
  }
}
