import {
  type DestinationConnection,
  existingConnection,
  type FileInput,
  type FoundExport,
  findFiles,
  type ImportOverrides,
  type ImportPlan,
  nothingToImport,
  type ProgressView,
  planAll,
  recognise,
  runImport,
  type Skipped,
  type SourceResult,
  type WorkPlan,
} from '@pdpp/importers'
import type { SourceDeclaration } from '@pdpp/protocol'
import { type OwnerApi, withOwnerApi } from '../../provider/owner-api.ts'
import { exitCodeOf, sayFailure, UsageError } from '../../terminal/failure.ts'
import { finishWithoutReader, printJson, printLine } from '../../terminal/output.ts'
import { INTERRUPTED, stopSignal } from '../../terminal/stop-signal.ts'
import { Announcement } from './announcement.ts'
import { copies } from './copies.ts'
import { settleDemo } from './demo-data.ts'
import { toWirePlan, toWireProgress, toWireResult, toWireTotal } from './import-wire.ts'
import { withCommandText } from './importer-text.ts'
import { type ImportOptions, readOverrides } from './options.ts'
import { overHttp } from './over-http.ts'
import { askForZone, readOwnZone } from './own-zone.ts'
import { askForParts, chooseParts } from './parts.ts'
import { printPlan } from './plan-text.ts'
import { ProgressLine } from './progress.ts'
import { type Imported, printCoverage, printNextStep, printResult, saySkipped } from './result.ts'
import { keepHeapSmall } from './small-heap.ts'

const SHOWN_FAILURES = 10

/** `pdpp import`: inspects files, shows the plan, asks, imports, and prints the result. */
export async function importCommand(paths: string[], options: ImportOptions): Promise<void> {
  const overrides = readOverrides(options)
  if (options.watch) return (await import('./watch.ts')).watchFolders(paths, options)
  if (!options.dryRun) finishWithoutReader()
  keepHeapSmall()
  const stop = stopSignal()
  try {
    const broken: Broken[] = []
    const links: Skipped[] = []
    const files = await findFiles(
      paths,
      copies,
      (file, error) => broken.push({ file, error }),
      (file, reason) => links.push({ file, reason }),
    )
    const round = await importOnce(files, { broken, links }, { ...options, overrides }, stop.signal)
    if (options.json) {
      const imports = round.body.imports.map(toWireResult)
      const coverage = toWireTotal(round.body.imports, round.unreadFiles)
      printJson({ object: 'import_result', dry_run: options.dryRun === true, coverage, ...round.body, imports })
    }
    process.exitCode = stop.signal.aborted ? INTERRUPTED : round.exitCode
  } finally {
    stop.release()
  }
}

export interface RoundOptions extends ImportOptions {
  readonly overrides: ImportOverrides & { connection?: string | undefined }
  /** True if an earlier round reported the skipped files. */
  readonly quietSkips?: boolean
}

/** A folder or archive that cannot be opened. */
export interface Broken {
  readonly file: string
  readonly error: unknown
}

export interface Round {
  readonly exitCode: number
  readonly unreadFiles: number
  readonly body: {
    imports: SourceResult[]
    skipped: Skipped[]
    failures: { file: string; message: string }[]
    /** Absent if there is no demo data. */
    demo_data?: 'kept' | 'removed' | undefined
  }
}

/** Imports a set of files once. A file that fails does not stop the others. */
export async function importOnce(
  files: readonly FileInput[],
  { broken, links = [] }: { readonly broken: readonly Broken[]; readonly links?: readonly Skipped[] },
  options: RoundOptions,
  signal: AbortSignal,
): Promise<Round> {
  const body: Round['body'] = { imports: [], skipped: [...links], failures: [] }
  const imported: Imported[] = []
  let exitCode = 0
  const fail = (file: string, cause: unknown) => {
    const error = withCommandText(cause)
    exitCode ||= exitCodeOf(error)
    body.failures.push({ file, message: (error as Error).message })
    if (options.jsonl) printEvent({ event: 'failure', file, message: (error as Error).message })
    if (body.failures.length <= SHOWN_FAILURES) sayFailure(error)
  }
  for (const { file, error } of broken) fail(file, error)
  const found = await recognise(files, body.skipped, fail, signal)
  if (options.jsonl) for (const each of body.skipped) printEvent({ event: 'skipped', ...each })
  else if (!options.json && !options.quietSkips && found.length > 0) saySkipped(body.skipped)
  if (found.length === 0 && exitCode === 0 && !options.watch)
    throw withCommandText(nothingToImport(files, body.skipped))
  const seenFiles = files.length + links.length + broken.length
  if (found.length === 0) return { exitCode, body, unreadFiles: seenFiles }
  const importAll = async (api: OwnerApi) => {
    const announcement = new Announcement(api, files)
    const to = overHttp(api, () => announcement.id())
    const demo = {
      keep: options.keepDemo === true,
      remove: options.removeDemo === true,
      canAsk: canAsk(options),
      dryRun: options.dryRun === true,
    }
    body.demo_data = await settleDemo(api, demo, signal)
    const planned = await planInZone(api, { found, known: await to.sources(), fail }, options, signal)
    const sources = chooseParts(planned, options.only)
    for (const work of await askAboutNew(sources, await to.connections(), options, signal)) {
      if (signal.aborted) break
      try {
        const result = await runImport(to, work, {
          connection: options.overrides.connection,
          dryRun: options.dryRun === true,
          signal,
          progress: progressView(options),
          onProblem: options.jsonl ? (problem) => printEvent({ event: 'problem', ...problem }) : undefined,
        })
        body.imports.push(result)
        if (options.jsonl) printEvent({ event: 'result', ...toWireResult(result) })
        else if (!options.json) printResult(result, options.dryRun === true)
        imported.push({ result, plan: work[0]!.plan })
      } catch (error) {
        fail(work[0]!.plan.inputs[0]!.name, error)
      }
    }
    // The records are written, even if the list of imports cannot be updated.
    await announcement.end(body.imports, body.failures[0]?.message, signal.aborted).catch(() => {})
  }
  await withOwnerApi(options, importAll, { creates: true }).finally(() => copies.remove())
  const unread = unreadFiles(body, seenFiles)
  if (!options.json && !options.jsonl && body.imports.length > 0) {
    if (!options.dryRun) printNextStep(imported)
    printCoverage(body.imports, unread)
  }
  const unsaid = body.failures.length - SHOWN_FAILURES
  if (unsaid > 0) process.stderr.write(`pdpp: ${unsaid} more files failed; --json lists them.\n`)
  return { exitCode, body, unreadFiles: unread }
}

interface Finds {
  readonly found: readonly FoundExport[]
  readonly known: readonly SourceDeclaration[]
  readonly fail: (file: string, cause: unknown) => void
}

/** Plans with the owner's zone. If times need one and the owner chose none, asks for it and plans again. */
async function planInZone(
  api: OwnerApi,
  { found, known, fail }: Finds,
  options: RoundOptions,
  signal: AbortSignal,
): Promise<WorkPlan[][]> {
  const overrides = withoutConnection(options.overrides)
  const ownZone = overrides.zone === undefined ? await readOwnZone(api) : undefined
  const planned = await planAll(found, known, () => ({ ...overrides, ownZone }), fail)
  if (overrides.zone !== undefined || ownZone !== undefined || !canAsk(options)) return planned
  const zone = await askForZone(api, planned, signal)
  if (zone === undefined) return planned
  // The first plan reported the failures.
  const failAgain = () => {}
  return await planAll(found, known, () => ({ ...overrides, ownZone: zone }), failAgain)
}

/** Number of files that are in no result: no importer could read them, or their part was not chosen. */
function unreadFiles({ imports }: Round['body'], seen: number): number {
  return Math.max(0, seen - imports.reduce((sum, { coverage }) => sum + coverage.files.seen, 0))
}

function progressView({ jsonl }: RoundOptions): ProgressView {
  if (!jsonl) return new ProgressLine()
  return new ProgressLine((progress) => printEvent({ event: 'progress', ...toWireProgress(progress) }))
}

function withoutConnection({ connection: _connection, ...overrides }: RoundOptions['overrides']): ImportOverrides {
  return overrides
}

/** Shows the plans and asks about new sources. A source that was imported before in the same way needs no question. */
async function askAboutNew(
  sources: readonly WorkPlan[][],
  connections: readonly DestinationConnection[],
  options: RoundOptions,
  signal: AbortSignal,
): Promise<readonly WorkPlan[][]> {
  // A chat that was never imported is new, even if its service is known.
  const isAdded = ({ connection }: ImportPlan) =>
    connection !== undefined && existingConnection(connections, connection) === undefined
  const isOpen = (work: readonly WorkPlan[]) => work.some(({ plan }) => plan.match !== 'same' || isAdded(plan))
  const open = sources.filter(isOpen)
  showPlans(sources, options.dryRun ? sources : open, isAdded, options)
  if (open.length === 0 || options.yes || options.dryRun) return sources
  if (canAsk(options)) {
    const chosen = await askForParts(sources, open, signal)
    printLine(chosen.length > 0 ? '' : 'Nothing new was imported.')
    return chosen
  }
  const question = new UsageError(
    'Nothing was imported: the sources are new, and there is no terminal to ask you. Read the plan, then add --yes.',
  )
  if (!options.watch) throw question
  sayFailure(question)
  return sources.filter((work) => !isOpen(work))
}

/** True if a person can answer at the terminal and did not pass --yes. */
const canAsk = ({ yes, dryRun, json, jsonl }: RoundOptions): boolean =>
  Boolean(process.stdin.isTTY && process.stdout.isTTY) && !yes && !dryRun && !json && !jsonl

function showPlans(
  sources: readonly WorkPlan[][],
  shown: readonly WorkPlan[][],
  isAdded: (plan: ImportPlan) => boolean,
  options: RoundOptions,
): void {
  const plans = sources.flatMap((work) => work.map(({ plan }) => plan))
  if (options.jsonl) for (const plan of plans) printEvent({ event: 'plan', ...toWirePlan(plan) })
  else if (!options.json)
    for (const work of shown)
      printPlan(
        work.map(({ plan }) => plan),
        isAdded(work[0]!.plan),
        shown.length > 1 ? sources.indexOf(work as WorkPlan[]) + 1 : undefined,
      )
  else if (!options.yes && !options.dryRun && plans.some((plan) => plan.match !== 'same' || isAdded(plan)))
    printJson({ object: 'import_plan', plans: plans.map(toWirePlan) })
}

function printEvent(event: Record<string, unknown>): void {
  printLine(JSON.stringify(event))
}
