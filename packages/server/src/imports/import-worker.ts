// A thread that inspects uploaded files or reads their records, so that parsing never delays a read.
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import {
  DatabaseCopies,
  type FileInput,
  ImportRefusal,
  importers,
  nothingToImport,
  planAll,
  recognise,
  runImport,
  type Skipped,
  type SourceResult,
  storedFiles,
  type WorkPlan,
} from '@pdpp/importers'
import type { Failure } from './import.ts'
import { type KeptPlan, readPlan, type SourcePlan, withShortSamples, writePlan } from './plan-file.ts'
import { WorkerDestination } from './worker-destination.ts'
import type { FileFailure, FromWorker, ImportResult, InspectResult, ToWorker, WorkerTask } from './worker-messages.ts'
import { WorkerReport } from './worker-report.ts'

/** The failure of one file ends the inspection. */
class FileFailed extends Error {
  readonly failure: Failure

  constructor({ file: _file, ...failure }: FileFailure) {
    super('A file cannot be imported.')
    this.failure = failure as Failure
  }
}

const task = workerData as WorkerTask
const SHOWN = 100

const send = (message: FromWorker) => parentPort!.postMessage(message)
const stop = new AbortController()
const to = new WorkerDestination(send)
const skipped: Skipped[] = []
const failures: FileFailure[] = []
const fail = (file: string, error: unknown) => failures.push({ file, ...failureOf(error) })
const inFolder = (name: string) => join(task.folder, name)

parentPort!.on('message', (message: ToWorker) => {
  if ('stop' in message) stop.abort()
  else to.answered(message)
})

const copies = new DatabaseCopies(task.folder, { isOurs: true, maxBytes: () => task.room })
try {
  const files = await storedFiles(task.files, copies, fail, (file, reason) => skipped.push({ file, reason }))
  if (task.kind === 'inspect') send({ inspected: await inspect(files) })
  else send({ imported: await run(files) })
} catch (error) {
  send({ failed: failureOf(error) })
} finally {
  copies.remove()
  parentPort!.close()
}

async function inspect(files: readonly FileInput[]): Promise<InspectResult> {
  const found = await recognise(files, skipped, fail, stop.signal)
  const numbers = new Map(files.map((file, at) => [file, at]))
  const overridesOf = (file: FileInput) => {
    const { connection: _connection, ...overrides } = task.overrides[numbers.get(file)!] ?? {}
    return { ...overrides, ownZone: task.zone }
  }
  const sources = await planAll(found, await to.sources(), overridesOf, fail)
  if (sources.length === 0 && failures[0]) throw new FileFailed(failures[0])
  if (sources.length === 0) throw nothingToImport(files, skipped)
  // If an override cannot be applied, keep the previous plan.
  const unmet = failures.find(({ file }) => task.overrides[files.findIndex(({ name }) => name === file)])
  if (unmet) throw new FileFailed(unmet)
  writePlan(
    inFolder,
    sources.map((work) => kept(work, numbers)),
  )
  return {
    sources: sources.map((work) => work[0]!.plan.declaration.connector_key),
    leftOut: skipped.slice(0, SHOWN),
    leftOutCount: skipped.length,
    failures: failures.slice(0, SHOWN),
  }
}

function kept(work: readonly WorkPlan[], numbers: ReadonlyMap<FileInput, number>): SourcePlan {
  const names = work.flatMap(({ plan }) => plan.inputs.map(({ name }) => name))
  return {
    source: work[0]!.plan.declaration.connector_key,
    fileNames: names.slice(0, SHOWN),
    fileCount: names.length,
    plans: work.map(({ importer, plan }): KeptPlan => {
      const inputs = plan.inputs.map((input) => numbers.get(input as FileInput)!)
      return { ...plan, importer: importer.id, inputs, streams: plan.streams.map(withShortSamples) }
    }),
  }
}

async function run(files: readonly FileInput[]): Promise<ImportResult> {
  const planned = readPlan(inFolder)
  if (!planned)
    throw Object.assign(new Error('The plan of this import is gone.'), { nextStep: 'Upload the files again.' })
  const sources = planned.filter((_, at) => task.parts === undefined || task.parts.includes(at))
  const results: SourceResult[] = []
  for (const [at, { plans }] of sources.entries()) {
    if (stop.signal.aborted) break
    const report = new WorkerReport(send, at, sources.length)
    const work = plans.map(
      ({ importer, inputs, ...plan }): WorkPlan => ({
        importer: importers.find(({ id }) => id === importer)!,
        plan: { ...plan, inputs: inputs.map((number) => files[number]!) },
      }),
    )
    try {
      const connection = task.overrides[plans[0]!.inputs[0]!]?.connection
      const onProblem = report.problem.bind(report)
      const options = { connection, dryRun: false, signal: stop.signal, progress: report, onProblem }
      const result = await runImport(to, work, options)
      results.push({ ...result, problems: [], notices: [], files: result.files.slice(0, SHOWN) })
    } catch (error) {
      fail(plans[0]!.declaration.connector_key, error)
    } finally {
      report.flush()
    }
  }
  const read = results.reduce((sum, { coverage }) => sum + coverage.files.seen, 0)
  const unreadFiles = Math.max(0, files.length + skipped.length - read)
  return { results, unreadFiles, failures: failures.slice(0, SHOWN), stopped: stop.signal.aborted }
}

function failureOf(error: unknown): Failure {
  if (error instanceof FileFailed) return error.failure
  if (error instanceof ImportRefusal) return { refusal: error.refusal }
  const { message, nextStep } = error as Error & { nextStep?: string }
  return {
    message: String(message ?? error).slice(0, 2000),
    nextStep: (nextStep ?? 'Check the files, and try again.').slice(0, 2000),
  }
}
