import { PdppError } from '@pdpp/protocol'
import { newId } from '../lib/ids.ts'
import { type ImportBody, KEPT_PROBLEMS, NOTHING_YET } from './import.ts'
import type { ImportStore } from './import-store.ts'

export interface EndedImport extends Pick<ImportBody, 'results' | 'failure' | 'unreadFiles'> {
  readonly state: 'finished' | 'stopped' | 'failed'
  readonly problems: readonly object[]
  /** Number of all problems, including those that are not in the list. */
  readonly problemCount: number
}

/** Imports by a program that sends records over HTTP, such as `pdpp import`. */
export class ClientSideImports {
  readonly #store: ImportStore

  constructor(store: ImportStore) {
    this.#store = store
  }

  /** Creates an import, so that it is listed and can be undone. */
  async announce(subjectId: string, files: ImportBody['files'], fileCount: number): Promise<string> {
    const importId = newId('imp')
    const body = { ...NOTHING_YET, files, fileCount, isClientSide: true, holdsFiles: false, startedAt: Date.now() }
    await this.#store.create(subjectId, importId, 'running', body, Date.now())
    return importId
  }

  /** The import that a batch belongs to. Undefined if no import with this id is running. */
  async find(subjectId: string, importId: string | undefined): Promise<string | undefined> {
    const found = importId === undefined ? undefined : await this.#store.find(subjectId, importId)
    return found?.state === 'running' && found.body.isClientSide ? importId : undefined
  }

  /** Records the result. An import without changes and problems is dropped, because the command reported why. */
  async end(
    subjectId: string,
    importId: string,
    { state, problems, problemCount, ...body }: EndedImport,
  ): Promise<void> {
    const found = await this.#store.find(subjectId, importId)
    const change = { state, body: { ...body, endedAt: Date.now() } }
    if (!found?.body.isClientSide) throw new PdppError('not_found', 'There is no such import.')
    if (!(await this.#store.change(subjectId, importId, change, ['running', 'stopped'])))
      throw new PdppError('import_state', 'This import has ended.')
    if (found.written.length + found.made.length + problemCount === 0) await this.#store.remove(subjectId, importId)
    else await this.#store.addProblems(subjectId, importId, problems, problemCount - problems.length, KEPT_PROBLEMS)
  }
}
