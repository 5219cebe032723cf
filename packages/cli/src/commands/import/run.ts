import type { Importer, ImportPlan, ImportWishes } from '@pdpp/importers'
import type { SourceDeclaration } from '@pdpp/protocol'
import { exitCodeOf, sayFailure, UsageError } from '../../failure.ts'
import { printJson, printLine } from '../../output.ts'
import { type OwnerApi, withOwnerApi } from '../../owner-api.ts'
import { confirm } from './confirm.ts'
import { removeCopies } from './database-copy.ts'
import { type FileInput, findFiles } from './files.ts'
import { type ImportOptions, readWishes } from './options.ts'
import { printPlan } from './plan-text.ts'
import { type Found, nothingToImport, recognise, type Skipped, saySkipped } from './recognise.ts'
import { printResult, type SourceResult } from './result.ts'
import { takeIn, type WorkPlan } from './take-in.ts'

const INTERRUPTED = 130
const SHOWN_FAILURES = 10

/** `pdpp import`: look, show, ask, take in, say what came of it. */
export async function runImport(paths: string[], options: ImportOptions): Promise<void> {
  const wishes = readWishes(options)
  if (options.watch) return (await import('./watch.ts')).watchFolders(paths, options)
  const stop = stopSignal()
  try {
    const broken: Broken[] = []
    const files = await findFiles(paths, (file, error) => broken.push({ file, error }))
    const round = await importOnce(files, broken, { ...options, wishes }, stop.signal)
    if (options.json) printJson({ object: 'import_result', dry_run: options.dryRun === true, ...round.body })
    process.exitCode = stop.signal.aborted ? INTERRUPTED : round.exitCode
  } finally {
    stop.release()
  }
}

export interface RoundOptions extends ImportOptions {
  readonly wishes: ImportWishes & { connection?: string | undefined }
  /** Files of other kinds were named before. */
  readonly quietSkips?: boolean
}

/** A folder or an archive that cannot be looked into. */
export interface Broken {
  readonly file: string
  readonly error: unknown
}

export interface Round {
  readonly exitCode: number
  readonly body: {
    imports: SourceResult[]
    skipped: Skipped[]
    failures: { file: string; message: string }[]
  }
}

/** One look at a set of files. What fails, fails alone; the others go on. */
export async function importOnce(
  files: readonly FileInput[],
  broken: readonly Broken[],
  options: RoundOptions,
  signal: AbortSignal,
): Promise<Round> {
  const body: Round['body'] = { imports: [], skipped: [], failures: [] }
  let exitCode = 0
  const fail = (file: string, error: unknown) => {
    exitCode ||= exitCodeOf(error)
    body.failures.push({ file, message: (error as Error).message })
    if (options.jsonl) printEvent({ event: 'failure', file, message: (error as Error).message })
    if (body.failures.length <= SHOWN_FAILURES) sayFailure(error)
  }
  for (const { file, error } of broken) fail(file, error)
  const found = await recognise(files, body.skipped, fail, signal)
  if (options.jsonl) for (const each of body.skipped) printEvent({ event: 'skipped', ...each })
  else if (!options.json && !options.quietSkips && found.size > 0) saySkipped(body.skipped)
  if (found.size === 0 && exitCode === 0 && !options.watch) throw nothingToImport(files, body.skipped)
  if (found.size === 0) return { exitCode, body }
  await withOwnerApi(options, async (api) => {
    const sources = await planAll(api, found, options, fail)
    for (const work of await agreed(sources, options, signal)) {
      if (signal.aborted) break
      try {
        const result = await takeIn(api, work, {
          connection: options.wishes.connection,
          dryRun: options.dryRun === true,
          signal,
          onEvent: options.jsonl ? printEvent : undefined,
        })
        body.imports.push(result)
        if (options.jsonl) printEvent({ event: 'result', ...result })
        else if (!options.json) printResult(result, work[0]!.plan, options.dryRun === true)
      } catch (error) {
        fail(work[0]!.plan.inputs[0]!.name, error)
      }
    }
  }).finally(removeCopies)
  const unsaid = body.failures.length - SHOWN_FAILURES
  if (unsaid > 0) process.stderr.write(`pdpp: ${unsaid} more files failed; --json lists them.\n`)
  return { exitCode, body }
}

/** Plans by source, in the order of the files. */
async function planAll(
  api: OwnerApi,
  found: Found,
  options: RoundOptions,
  fail: (file: string, error: unknown) => void,
): Promise<WorkPlan[][]> {
  let known = await knownSources(api)
  const sources = new Map<string, WorkPlan[]>()
  const add = (importer: Importer, plans: readonly ImportPlan[]) => {
    for (const plan of plans) {
      const key = plan.declaration.connector_key
      sources.set(key, [...(sources.get(key) ?? []), { importer, plan }])
      known = [...known.filter((source) => source.connector_key !== key), plan.declaration]
    }
  }
  for (const [importer, files] of found) {
    // Mail belongs together; of tables each file is planned by itself, so that one bad file does not cost the others.
    const groups = importer.id === 'mail' ? [files] : files.map((file) => [file])
    for (const group of groups) {
      try {
        add(importer, await importer.streams(group, withoutConnection(options.wishes), known))
      } catch (error) {
        fail(group[0]!.name, error)
      }
    }
  }
  return [...sources.values()]
}

function withoutConnection({ connection: _connection, ...wishes }: RoundOptions['wishes']): ImportWishes {
  return wishes
}

async function knownSources(api: OwnerApi): Promise<SourceDeclaration[]> {
  const { data } = await api.request<{ data: { connector_key: string }[] }>('GET', '/v1/connectors')
  return Promise.all(
    data.map(({ connector_key: key }) =>
      api.request<SourceDeclaration>('GET', `/connectors/${encodeURIComponent(key)}`),
    ),
  )
}

/** Shows the plans, and asks about what is new. What was imported before in the same way needs no answer. */
async function agreed(
  sources: readonly WorkPlan[][],
  options: RoundOptions,
  signal: AbortSignal,
): Promise<readonly WorkPlan[][]> {
  const isOpen = (work: readonly WorkPlan[]) => work.some(({ plan }) => plan.standing !== 'known')
  const open = sources.filter(isOpen)
  showPlans(sources, options.dryRun ? sources : open, options)
  if (open.length === 0 || options.yes || options.dryRun) return sources
  if (process.stdin.isTTY && process.stdout.isTTY && !options.json && !options.jsonl) {
    const yes = await confirm('Import this?', signal)
    printLine(yes ? '' : 'Nothing new was imported.')
    return yes ? sources : []
  }
  const question = new UsageError(
    'Nothing was imported: somebody has to agree to what is new. Look at the plan, then add --yes.',
  )
  if (!options.watch) throw question
  sayFailure(question)
  return sources.filter((work) => !isOpen(work))
}

function showPlans(sources: readonly WorkPlan[][], shown: readonly WorkPlan[][], options: RoundOptions): void {
  const plans = sources.flatMap((work) => work.map(({ plan }) => plan))
  if (options.jsonl) for (const plan of plans) printEvent({ event: 'plan', ...toWirePlan(plan) })
  else if (!options.json) for (const work of shown) printPlan(work.map(({ plan }) => plan))
  else if (!options.yes && !options.dryRun && plans.some((plan) => plan.standing !== 'known'))
    printJson({ object: 'import_plan', plans: plans.map(toWirePlan) })
}

export function toWirePlan(plan: ImportPlan) {
  return {
    source: plan.declaration.connector_key,
    standing: plan.standing,
    changes: plan.changes,
    format: plan.format,
    files: plan.inputs.slice(0, 1000).map((input) => input.name),
    file_count: plan.inputs.length,
    streams: plan.streams,
    notices: plan.notices,
    declaration: plan.declaration,
  }
}

function printEvent(event: Record<string, unknown>): void {
  printLine(JSON.stringify(event))
}

/** The first Ctrl-C lets the batch under way finish; the second does not wait. */
export function stopSignal(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED)
    controller.abort()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const name of signals) process.on(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}
