import { setTimeout as pause } from 'node:timers/promises'
import { type Failure, type FailureText, KEPT_PROBLEMS, type SourceOverrides } from './import.ts'
import { ImportJob, type JobResult } from './import-job.ts'
import { type OwnServices, ownDestination } from './in-process-destination.ts'
import { OwnZone } from './own-zone.ts'
import { readPlan, type SourcePlan } from './plan-file.ts'
import type { UploadFolder } from './upload-folder.ts'
import type { ImportResult, InspectResult, RunProgress } from './worker-messages.ts'

/** Max. threads. Other imports wait for their turn. */
const MAX_JOBS = 2
/** Max. records that one transaction undoes. Larger transactions block reads. */
const UNDONE_AT_ONCE = 50
const PAUSE_MS = 5

export const FILES_GONE: FailureText = {
  message: 'The uploaded files are gone.',
  nextStep: 'Upload them again; repeating is safe.',
}

type Overrides = Readonly<Record<string, SourceOverrides>>

interface Turn {
  readonly subjectId: string
  readonly importId: string
  readonly kind: 'inspect' | 'import'
  /** Set if the files are inspected again. */
  readonly overrides: Overrides | undefined
  readonly done: () => void
}

/** Runs inspections and imports in threads, and undoes imports in slices. The results are in the store. */
export class ImportRunner {
  readonly #services: OwnServices
  readonly #uploads: UploadFolder
  readonly #log: (line: string) => void
  readonly #jobs = new Map<string, ImportJob>()
  readonly #turns: Turn[] = []
  readonly #undoing = new Map<string, Promise<void>>()
  #atWork = 0
  #isClosing = false

  constructor(services: OwnServices, uploads: UploadFolder, log: (line: string) => void) {
    this.#services = services
    this.#uploads = uploads
    this.#log = log
  }

  get #store() {
    return this.#services.stores.imports
  }

  progress(importId: string): RunProgress | undefined {
    return this.#jobs.get(importId)?.progress
  }

  plan(importId: string): SourcePlan[] | undefined {
    return readPlan((name) => this.#uploads.pathOf(importId, name))
  }

  /** Resolves when the work is done. */
  turn(subjectId: string, importId: string, kind: Turn['kind'], overrides?: Overrides): Promise<void> {
    return new Promise((done) => {
      this.#turns.push({ subjectId, importId, kind, done, overrides })
      this.#next()
    })
  }

  /** Cancels a waiting import, or stops a running one after its current batch. False if it is neither. */
  async stop(importId: string): Promise<boolean> {
    const at = this.#turns.findIndex((turn) => turn.importId === importId && turn.kind === 'import')
    const [turn] = at === -1 ? [] : this.#turns.splice(at, 1)
    if (turn) {
      await this.#store.change(turn.subjectId, importId, { state: 'stopped' }, ['waiting'])
      turn.done()
      return true
    }
    const job = this.#jobs.get(importId)
    job?.stop()
    await job?.result
    return job !== undefined
  }

  undo(subjectId: string, importId: string): Promise<void> {
    const work = this.#undoAll(subjectId, importId)
      .catch((error: Error) => this.#log(`undoing an import failed: ${error.stack ?? error}`))
      .finally(() => this.#undoing.delete(importId))
    this.#undoing.set(importId, work)
    return work
  }

  /** Running imports keep their state and resume at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#turns.length = 0
    await Promise.all([...this.#jobs.values()].map((job) => job.end()))
    await Promise.all(this.#undoing.values())
  }

  #next(): void {
    if (this.#isClosing || this.#atWork >= MAX_JOBS) return
    const turn = this.#turns.shift()
    if (!turn) return
    this.#atWork++
    this.#work(turn)
      .catch((error: Error) => this.#isClosing || this.#log(`an import failed: ${error.stack ?? error}`))
      .finally(() => {
        this.#atWork--
        this.#jobs.delete(turn.importId)
        turn.done()
        this.#next()
      })
    this.#next()
  }

  async #work({ subjectId, importId, kind, overrides: wished }: Turn): Promise<void> {
    const found = await this.#store.find(subjectId, importId)
    if (!found) return
    const { files: uploaded, overrides: agreed, parts } = found.body
    if (!this.#uploads.has(importId, uploaded.length)) return this.#failed(subjectId, importId, FILES_GONE)
    if (kind === 'import') {
      const body = { startedAt: Date.now(), endedAt: undefined }
      if (!(await this.#store.change(subjectId, importId, { state: 'running', body }, ['waiting']))) return
      // The import reads from the beginning and finds the same problems again.
      await this.#store.clearProblems(subjectId, importId)
    }
    const overrides = wished ?? agreed
    const folder = this.#uploads.pathOf(importId)
    const files = uploaded.map(({ name }, at) => ({ name, path: this.#uploads.pathOf(importId, String(at)) }))
    const job = new ImportJob(
      {
        kind,
        files,
        folder,
        overrides,
        parts,
        room: this.#uploads.room(),
        zone: await new OwnZone(this.#services.stores).read(subjectId),
      },
      {
        destination: ownDestination(this.#services, subjectId, importId),
        onProblems: (problems, uncounted) =>
          this.#store.addProblems(subjectId, importId, problems, uncounted, KEPT_PROBLEMS),
      },
    )
    this.#jobs.set(importId, job)
    const result = await job.result
    if (!this.#isClosing) await this.#settle(subjectId, importId, result, overrides)
  }

  async #settle(subjectId: string, importId: string, result: JobResult, overrides: Overrides): Promise<void> {
    if ('failed' in result) await this.#failed(subjectId, importId, result.failed)
    else if ('inspected' in result) await this.#inspected(subjectId, importId, result.inspected, overrides)
    else await this.#imported(subjectId, importId, result.imported)
  }

  async #inspected(subjectId: string, importId: string, inspected: InspectResult, overrides: Overrides): Promise<void> {
    const body = { ...inspected, overrides, parts: undefined, failure: undefined }
    await this.#store.change(subjectId, importId, { state: 'recognised', body }, ['uploaded'])
  }

  async #imported(
    subjectId: string,
    importId: string,
    { results, unreadFiles, failures, stopped }: ImportResult,
  ): Promise<void> {
    const state = stopped ? 'stopped' : results.length === 0 ? 'failed' : 'finished'
    const body = {
      results: results.map((result) => ({
        source: result.source,
        connectionId: result.connectionId ?? '',
        fileCount: result.fileCount,
        name: result.name,
        coverage: coverageOf(result),
        streams: result.streams.map(({ name, recordsRead: read, refused }) => ({ name, read, refused })),
      })),
      unreadFiles,
      failures,
      failure: state === 'failed' ? failures[0] : undefined,
      endedAt: Date.now(),
      holdsFiles: state !== 'finished',
    }
    await this.#store.change(subjectId, importId, { state, body }, ['running'])
    if (state === 'finished') this.#uploads.remove(importId)
  }

  /** Removes an import whose files were not recognised. A failed correction keeps the previous plan. */
  async #failed(subjectId: string, importId: string, failure: Failure): Promise<void> {
    const holdsFiles = this.plan(importId) !== undefined
    if (
      holdsFiles &&
      (await this.#store.change(subjectId, importId, { state: 'recognised', body: { failure } }, ['uploaded']))
    )
      return
    await this.#store.change(subjectId, importId, {
      state: 'failed',
      body: { failure, holdsFiles, endedAt: Date.now() },
    })
    if (!holdsFiles) this.#uploads.remove(importId)
  }

  async #undoAll(subjectId: string, importId: string): Promise<void> {
    while (!(await this.#store.undo(subjectId, importId, UNDONE_AT_ONCE))) {
      await pause(PAUSE_MS)
      if (this.#isClosing) return
    }
    await this.#store.removeUnused(subjectId, importId)
    await this.#store.change(subjectId, importId, { state: 'undone', body: { undoneAt: Date.now() } }, ['undoing'])
  }
}

/** The coverage without its kinds, which the page does not show. */
const coverageOf = ({ coverage: { files, items, leftOut, unexplained } }: ImportResult['results'][number]) => ({
  files,
  items,
  leftOut,
  unexplained,
})
