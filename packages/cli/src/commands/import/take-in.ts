import type { Importer, ImportPlan, ImportProblem } from '@pdpp/importers'
import type { OwnerApi } from '../../owner-api.ts'
import type { BlobCount } from './blob-delivery.ts'
import { chooseConnection } from './connection.ts'
import { Delivery, type StreamCount } from './delivery.ts'
import type { FileInput } from './files.ts'
import { ProgressLine } from './progress.ts'
import { KEPT_PROBLEMS, type SourceResult, toWireProblem, type WireProblem } from './result.ts'

export interface TakeInOptions {
  readonly connection?: string | undefined
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** For `--jsonl`. */
  readonly onEvent?: ((event: Record<string, unknown>) => void) | undefined
}

export interface WorkPlan {
  readonly importer: Importer
  readonly plan: ImportPlan
}

/** Carries out the plans of one source. */
export async function takeIn(api: OwnerApi, work: readonly WorkPlan[], options: TakeInOptions): Promise<SourceResult> {
  const { plan: first } = work[0]!
  const started = performance.now()
  const connectorKey = first.declaration.connector_key
  const run = new Run(work, options)
  let connectionId: string | null = null
  if (options.dryRun) for (const each of work) await run.read(each, undefined)
  else {
    await api.request('POST', '/connectors', first.declaration)
    connectionId = await chooseConnection(api, connectorKey, options.connection, first.declaration.display.name)
    const before = await recordCounts(api, connectionId)
    for (const each of work) {
      // A later file may have brought a column that the first one had not.
      await api.request('POST', '/connectors', each.plan.declaration)
      const delivery = new Delivery(api, { connectorKey, connectionId }, (problem) => run.note(problem))
      try {
        await run.read(each, delivery)
      } finally {
        await delivery.finish().finally(() => run.add(delivery.counts, delivery.blobs.count))
      }
      if (options.signal.aborted) break
    }
    run.compare(before, await recordCounts(api, connectionId))
  }
  return run.result(connectionId, (performance.now() - started) / 1000)
}

class Run {
  readonly #work: readonly WorkPlan[]
  readonly #options: TakeInOptions
  readonly #progress: ProgressLine
  readonly #read = new Map<string, number>()
  readonly #counts = new Map<string, StreamCount>()
  readonly #new = new Map<string, number>()
  readonly #problems: WireProblem[] = []
  readonly #blobs: BlobCount = { sent: 0, bytes: 0, unchanged: 0 }
  #problemCount = 0
  #records = 0

  constructor(work: readonly WorkPlan[], options: TakeInOptions) {
    this.#work = work
    this.#options = options
    const files = work.flatMap(({ plan }) => plan.inputs as readonly FileInput[])
    const expected = work.flatMap(({ plan }) => plan.streams.map((stream) => stream.expected))
    const known = expected.every((count) => count !== undefined)
    const total = known ? expected.reduce((sum, count) => sum + count, 0) : undefined
    const { onEvent } = options
    this.#progress = new ProgressLine(
      files,
      total,
      onEvent &&
        (({ input, records, recordsPerSecond, share, secondsLeft }) =>
          onEvent({
            event: 'progress',
            file: input,
            records,
            records_per_second: recordsPerSecond,
            share: share ?? null,
            seconds_left: secondsLeft ?? null,
          })),
    )
  }

  async read({ importer, plan }: WorkPlan, delivery: Delivery | undefined): Promise<void> {
    try {
      for await (const item of importer.read(plan)) {
        if ('problem' in item) this.note(item.problem)
        else {
          this.#records++
          this.#read.set(item.record.stream, (this.#read.get(item.record.stream) ?? 0) + 1)
          await delivery?.add(item.record)
          this.#progress.show(item.record.place.input, this.#records)
        }
        if (this.#options.signal.aborted) break
      }
    } finally {
      this.#progress.clear()
    }
  }

  note(problem: ImportProblem): void {
    this.#problemCount++
    const wire = toWireProblem(problem)
    if (this.#problems.length < KEPT_PROBLEMS) this.#problems.push(wire)
    this.#options.onEvent?.({ event: 'problem', ...wire })
  }

  add(counts: ReadonlyMap<string, StreamCount>, blobs: BlobCount): void {
    for (const what of ['sent', 'bytes', 'unchanged'] as const) this.#blobs[what] += blobs[what]
    for (const [stream, { sent, accepted, unchanged, rejected }] of counts) {
      const total = this.#counts.get(stream) ?? { sent: 0, accepted: 0, unchanged: 0, rejected: 0 }
      total.sent += sent
      total.accepted += accepted
      total.unchanged += unchanged
      total.rejected += rejected
      this.#counts.set(stream, total)
    }
  }

  /** The server says what it accepted; what of it is new shows in how many records there are. */
  compare(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
    for (const [stream, { accepted }] of this.#counts) {
      const grown = (after.get(stream) ?? 0) - (before.get(stream) ?? 0)
      this.#new.set(stream, Math.max(0, Math.min(accepted, grown)))
    }
  }

  result(connectionId: string | null, seconds: number): SourceResult {
    const { plan: first } = this.#work[0]!
    const files = this.#work.flatMap(({ plan }) => plan.inputs.map((input) => input.name))
    const names = [...new Set(this.#work.flatMap(({ plan }) => plan.streams.map((stream) => stream.name)))]
    return {
      source: first.declaration.connector_key,
      connection_id: connectionId,
      standing: first.standing,
      files: files.slice(0, KEPT_PROBLEMS),
      file_count: files.length,
      streams: names.map((name) => {
        const count = this.#counts.get(name)
        const added = this.#new.get(name) ?? 0
        return {
          name,
          records_read: this.#read.get(name) ?? 0,
          new: added,
          changed: (count?.accepted ?? 0) - added,
          unchanged: count?.unchanged ?? 0,
          refused: count?.rejected ?? 0,
        }
      }),
      blobs: { ...this.#blobs },
      problem_count: this.#problemCount,
      problems: this.#problems,
      notices: [...new Set(this.#work.flatMap(({ plan }) => plan.notices))],
      seconds: Math.round(seconds * 100) / 100,
      interrupted: this.#options.signal.aborted,
    }
  }
}

async function recordCounts(api: OwnerApi, connectionId: string): Promise<Map<string, number>> {
  const { data } = await api.request<{ data: { name: string; record_count: number }[] }>(
    'GET',
    `/v1/streams?connection_id=${encodeURIComponent(connectionId)}`,
  )
  return new Map(data.map(({ name, record_count: count }) => [name, count]))
}
