import type { FileInput, SourceResult } from '@pdpp/importers'
import { type OwnerApi, ServerRefusal } from '../../provider/owner-api.ts'
import { toWireEnd } from './import-wire.ts'

const NAMED_FILES = 100
const SENT_PROBLEMS = 1000
const UNKNOWN = [404, 405]

/** Announces an import to the server before anything is written, so that the console lists it and can undo it. */
export class Announcement {
  readonly #api: OwnerApi
  readonly #files: readonly FileInput[]
  #id: Promise<string | undefined> | undefined

  constructor(api: OwnerApi, files: readonly FileInput[]) {
    this.#api = api
    this.#files = files
  }

  /** Undefined if the server does not keep a list of imports. */
  id(): Promise<string | undefined> {
    this.#id ??= this.#announce()
    return this.#id
  }

  async end(results: readonly SourceResult[], failure: string | undefined, stopped: boolean): Promise<void> {
    const id = await this.#id
    if (id === undefined) return
    const problems = results.flatMap((result) => result.problems)
    await this.#api.request('POST', `/v1/owner/imports/${id}/end`, {
      state: stopped ? 'stopped' : failure === undefined || results.length > 0 ? 'finished' : 'failed',
      ...toWireEnd(results, this.#files.length),
      problems: problems.slice(0, SENT_PROBLEMS),
      ...(failure === undefined
        ? {}
        : { failure: { message: failure, next_step: 'Run the command again: it is safe to repeat.' } }),
    })
  }

  async #announce(): Promise<string | undefined> {
    const files = this.#files.slice(0, NAMED_FILES).map(({ name, fileSize }) => ({ name, bytes: Math.round(fileSize) }))
    try {
      const body = { files, file_count: this.#files.length }
      return (await this.#api.request<{ import_id: string }>('POST', '/v1/owner/imports', body)).import_id
    } catch (error) {
      if (error instanceof ServerRefusal && UNKNOWN.includes(error.status)) return
      throw error
    }
  }
}
