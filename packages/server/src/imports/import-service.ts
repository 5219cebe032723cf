import { PdppError } from '@pdpp/protocol'
import { newId } from '../lib/ids.ts'
import { waitUpTo } from '../lib/timeouts.ts'
import { ClientSideImports } from './client-side-imports.ts'
import { type ImportBody, type ImportState, NOTHING_YET, type SourceOverrides, type StoredImport } from './import.ts'
import { FILES_GONE, ImportRunner } from './import-runner.ts'
import { IMPORT_STATE_TEXT } from './import-state-text.ts'
import type { OwnServices } from './in-process-destination.ts'
import { OwnZone } from './own-zone.ts'
import type { SourcePlan } from './plan-file.ts'
import { UNDO_DAYS, UNDO_IMPORTS, undoable } from './undo.ts'
import { type Upload, UploadFolder, type UploadLimits } from './upload-folder.ts'
import type { RunProgress } from './worker-messages.ts'

const DAY_MS = 86_400_000
/** Uploaded files that are not imported are removed after this time. */
const HELD_MS = 7 * DAY_MS
/** Wait this long for a step before showing a progress page; most steps finish sooner. */
const MAX_WAIT_MS = 4000
const STARTING_MS = 1500

/** States in which the files exist and no work is in progress. */
const STATES_WITH_FILES: readonly ImportState[] = ['recognised', 'failed', 'stopped']
const OVER: readonly ImportState[] = ['finished', 'stopped', 'failed']

/** Inspects, shows, runs and undoes imports of uploaded files. Every step can resume after a restart. */
export class ImportService {
  readonly uploads: UploadFolder
  /** Imports by `pdpp import`. */
  readonly clientSide: ClientSideImports
  readonly zone: OwnZone
  readonly #services: OwnServices
  readonly #runner: ImportRunner
  readonly #receiving = new Set<string>()

  constructor(
    services: OwnServices & { readonly dataDir: string; readonly log: (line: string) => void },
    limits: Partial<UploadLimits> = {},
  ) {
    this.#services = services
    this.uploads = new UploadFolder(services.dataDir, limits)
    this.zone = new OwnZone(services.stores)
    this.clientSide = new ClientSideImports(services.stores.imports)
    this.#runner = new ImportRunner(services, this.uploads, services.log)
  }

  get #store() {
    return this.#services.stores.imports
  }

  /** Resumes imports that were interrupted when the server stopped. */
  async resume(subjectId: string): Promise<void> {
    await this.#tidy(subjectId)
    for (const { importId, state, body } of await this.#store.inState(subjectId, ['uploaded', 'waiting', 'running'])) {
      // The command that ran this import lost its connection when the server stopped.
      if (body.isClientSide) await this.#store.change(subjectId, importId, { state: 'stopped' })
      if (body.isClientSide) continue
      if (state === 'running')
        await this.#store.change(subjectId, importId, { state: 'waiting', body: { resumed: true } })
      void this.#runner.turn(subjectId, importId, state === 'uploaded' ? 'inspect' : 'import')
    }
    for (const { importId } of await this.#store.inState(subjectId, ['undoing']))
      void this.#runner.undo(subjectId, importId)
  }

  close(): Promise<void> {
    return this.#runner.close()
  }

  /** Stores files and inspects them. */
  async upload(subjectId: string, uploads: AsyncIterable<Upload>): Promise<string> {
    await this.#tidy(subjectId)
    await this.#requirePlace(subjectId)
    const importId = newId('imp')
    this.#receiving.add(importId)
    this.uploads.make(importId)
    try {
      const files = await this.uploads.receive(importId, uploads)
      await this.#store.create(subjectId, importId, 'uploaded', { ...NOTHING_YET, files }, Date.now())
    } catch (error) {
      this.uploads.remove(importId)
      throw error
    } finally {
      this.#receiving.delete(importId)
    }
    await waitUpTo(this.#runner.turn(subjectId, importId, 'inspect'), MAX_WAIT_MS)
    return importId
  }

  list(subjectId: string, page: { limit: number; before?: string | undefined }): Promise<StoredImport[]> {
    return this.#store.list(subjectId, page)
  }

  async require(subjectId: string, importId: string): Promise<StoredImport> {
    const found = await this.#store.find(subjectId, importId)
    if (found) return found
    throw new PdppError('not_found', 'There is no such import.', { nextStep: 'The page Import lists them all.' })
  }

  /** The plan of an import. It is removed together with the files. */
  plan(importId: string): SourcePlan[] | undefined {
    return this.#runner.plan(importId)
  }

  progress(importId: string): RunProgress | undefined {
    return this.#runner.progress(importId)
  }

  problems(subjectId: string, importId: string, page: { after: number; limit: number }) {
    return this.#store.problems(subjectId, importId, page)
  }

  /** Inspects again with the overrides of one source. If one cannot be applied, the import stores the reason. */
  async correct(
    subjectId: string,
    importId: string,
    inputs: readonly number[],
    overrides: SourceOverrides,
  ): Promise<void> {
    const { body } = await this.require(subjectId, importId)
    await this.#move(subjectId, importId, 'uploaded', ['recognised'], { failure: undefined })
    const next = { ...body.overrides, ...Object.fromEntries(inputs.map((input) => [input, overrides])) }
    await waitUpTo(this.#runner.turn(subjectId, importId, 'inspect', next), MAX_WAIT_MS)
  }

  /** Starts an import, or resumes one that was stopped or failed. `parts` are the numbers of the ticked parts. */
  async start(subjectId: string, importId: string, parts?: readonly number[]): Promise<void> {
    const { body } = await this.require(subjectId, importId)
    if (!body.holdsFiles || !this.plan(importId))
      throw new PdppError('import_state', FILES_GONE.message, { nextStep: FILES_GONE.nextStep })
    if (parts?.length === 0)
      throw new PdppError('invalid_argument', 'Nothing is ticked.', {
        param: 'part',
        nextStep: 'Tick at least one part.',
      })
    const chosen = parts === undefined ? {} : { parts }
    await this.#move(subjectId, importId, 'waiting', STATES_WITH_FILES, {
      failure: undefined,
      resumed: false,
      ...chosen,
    })
    await waitUpTo(this.#runner.turn(subjectId, importId, 'import'), STARTING_MS)
  }

  async stop(subjectId: string, importId: string): Promise<void> {
    await this.require(subjectId, importId)
    let known = false
    const stopping = this.#runner.stop(importId).then((found) => {
      known = found
    })
    await waitUpTo(stopping, MAX_WAIT_MS)
    const { state } = await this.require(subjectId, importId)
    if (!known && !['running', 'waiting', ...OVER].includes(state)) throw notNow(state)
  }

  /** Removes the files, and the whole import if it wrote nothing. */
  async discard(subjectId: string, importId: string): Promise<'removed' | 'dropped'> {
    const { state, written } = await this.require(subjectId, importId)
    if (!STATES_WITH_FILES.includes(state)) throw notNow(state)
    this.uploads.remove(importId)
    if (written.length === 0) {
      await this.#store.removeUnused(subjectId, importId)
      await this.#store.remove(subjectId, importId)
    } else await this.#store.change(subjectId, importId, { body: { holdsFiles: false } })
    return written.length === 0 ? 'removed' : 'dropped'
  }

  async undo(subjectId: string, importId: string): Promise<void> {
    const answer = undoable(await this.require(subjectId, importId))
    if (!answer.possible) throw new PdppError('import_state', `This import cannot be undone. ${answer.reason}`)
    await this.#move(subjectId, importId, 'undoing', OVER, { holdsFiles: false })
    this.uploads.remove(importId)
    await waitUpTo(this.#runner.undo(subjectId, importId), MAX_WAIT_MS)
  }

  /** Removes files and problems of imports that wrote to a connection, because they contain the erased data. */
  async forget(subjectId: string, connectionId: string): Promise<void> {
    await this.#store.forgetProblems(subjectId, connectionId)
    for (const { importId, written } of await this.#store.inState(subjectId, ['stopped', 'failed']))
      if (written.some((feed) => feed.connectionId === connectionId)) await this.discard(subjectId, importId)
  }

  async #requirePlace(subjectId: string): Promise<void> {
    const { maxHeld } = this.uploads.limits
    const held = (await this.#store.inState(subjectId, [...STATES_WITH_FILES, 'uploaded'])).filter(
      ({ body }) => body.holdsFiles,
    )
    if (held.length + this.#receiving.size >= maxHeld)
      throw new PdppError(
        'resource_limit',
        `${held.length} imports are waiting with their files, and the limit is ${maxHeld}.`,
        {
          nextStep: 'Start or discard some of them first.',
        },
      )
  }

  async #move(
    subjectId: string,
    importId: string,
    state: ImportState,
    from: readonly ImportState[],
    body: Partial<ImportBody> = {},
  ) {
    if (await this.#store.change(subjectId, importId, { state, body }, from)) return
    throw notNow((await this.require(subjectId, importId)).state)
  }

  /** Deletes abandoned uploads, orphaned files, and undo data that is too old. */
  async #tidy(subjectId: string): Promise<void> {
    const now = Date.now()
    await this.#store.prune(subjectId, { imports: UNDO_IMPORTS, since: now - UNDO_DAYS * DAY_MS })
    const live = await this.#store.inState(subjectId, [...STATES_WITH_FILES, 'uploaded', 'waiting', 'running'])
    for (const { importId, state, updatedAt, body } of live)
      if (STATES_WITH_FILES.includes(state) && body.holdsFiles && updatedAt < now - HELD_MS)
        await this.discard(subjectId, importId)
    const known = new Set([...this.#receiving, ...live.map(({ importId }) => importId)])
    for (const importId of this.uploads.all()) if (!known.has(importId)) this.uploads.remove(importId)
  }
}

const notNow = (state: ImportState): PdppError => new PdppError('import_state', IMPORT_STATE_TEXT[state])
