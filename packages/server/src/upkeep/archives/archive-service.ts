import { PdppError } from '@pdpp/protocol'
import { requestAborted } from '../../lib/request-signal.ts'
import type { SettingStore } from '../../lib/setting-store.ts'
import type { ReceiptService } from '../../receipts/receipt-service.ts'
import { type ArchiveCommand, type ArchiveKind, type ArchiveProcess, startArchive } from './archive-process.ts'

export type { ArchiveCommand, ArchiveKind } from './archive-process.ts'

/** Idle timeout of a download. A stalled one would block every other backup and export. */
const STALLED_MS = 120_000
const MAX_MS = 6 * 3_600_000

export interface ArchiveInfo {
  readonly at: number
  readonly bytes: number
}

export interface ArchiveOccasion {
  readonly subjectId: string
  readonly surface: 'console' | 'cli'
  readonly requestId: string
}

export interface ArchiveOptions {
  readonly settings: SettingStore
  readonly receipts: Pick<ReceiptService, 'append'>
  readonly dataDir: string
  readonly command: ArchiveCommand | undefined
  /** Who makes backups: this program, or the database's own tools. */
  readonly backups: 'own' | 'database'
  readonly stalledMs?: number | undefined
  readonly log: (line: string) => void
}

/** Makes backups and exports of everything, one at a time, each with a receipt. */
export class ArchiveService {
  readonly #options: ArchiveOptions
  #running: ArchiveProcess | undefined

  constructor(options: ArchiveOptions) {
    this.#options = options
  }

  /** The command that writes archives. Undefined if this server cannot start it. */
  get command(): ArchiveCommand | undefined {
    return this.#options.command
  }

  get backups(): 'own' | 'database' {
    return this.#options.backups
  }

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /** The last archive that was completed. */
  async last(subjectId: string, kind: ArchiveKind): Promise<ArchiveInfo | undefined> {
    const text = await this.#options.settings.setting(subjectId, settingOf(kind))
    return text === undefined ? undefined : (JSON.parse(text) as ArchiveInfo)
  }

  /** Records an archive that the command line completed by itself. */
  async note(kind: ArchiveKind, made: ArchiveInfo, occasion: ArchiveOccasion): Promise<void> {
    await this.#receipt(kind, made.bytes, occasion)
    await this.#remember(kind, made, occasion.subjectId)
  }

  /** Streams the archive while it is made. No byte is sent before its receipt is written. `aborted` stops it. */
  async stream(
    kind: ArchiveKind,
    occasion: ArchiveOccasion,
    aborted: AbortSignal,
    passphrase?: string,
  ): Promise<ReadableStream<Uint8Array>> {
    const { command, dataDir } = this.#options
    if (kind === 'backup' && this.backups === 'database')
      throw new PdppError('backup_by_database', 'The data is in PostgreSQL, so the tools of PostgreSQL back it up.')
    if (command === undefined)
      throw new PdppError('server_busy', 'Backups and exports need a server started with `pdpp serve`.', {
        nextStep: `Run \`pdpp owner ${kind} <file>\` on the machine that has the data.`,
      })
    if (this.#running)
      throw new PdppError('archive_running', 'Another backup or export is running.', { retryAfterSeconds: 30 })
    const process = startArchive(command, kind, dataDir, passphrase)
    this.#running = process
    process.ended.catch(() => {}).finally(() => this.#over(process))
    aborted.addEventListener('abort', () => process.end(), { once: true })
    try {
      const first = await process.bytes.next()
      if (first.done) await process.ended
      await this.#receipt(kind, 0, occasion)
      return this.#body(kind, occasion, process, first, aborted)
    } catch (error) {
      process.end()
      if (aborted.aborted) throw requestAborted()
      this.#options.log(`a ${kind} failed: ${(error as Error).message}`)
      throw new PdppError('api_error', `The ${kind} failed.`, {
        nextStep: `The log of the server says why. \`${command.typed} owner ${kind} <file>\` does the same in a terminal.`,
      })
    }
  }

  stop(): void {
    this.#running?.end()
  }

  #over(process: ArchiveProcess): void {
    if (this.#running === process) this.#running = undefined
  }

  /** Reads from the process only on demand, so that a slow download does not fill the memory. */
  #body(
    kind: ArchiveKind,
    { subjectId }: ArchiveOccasion,
    process: ArchiveProcess,
    first: IteratorResult<Uint8Array>,
    aborted: AbortSignal,
  ): ReadableStream<Uint8Array> {
    const at = Date.now()
    let [bytes, waiting]: [number, IteratorResult<Uint8Array> | undefined] = [0, first]
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const timeOut = () => {
      this.#options.log(`a ${kind} was stopped: the client did not read it in time`)
      settle()
      process.end()
      controller?.error(new Error('The client did not read it in time.'))
    }
    const limit = setTimeout(timeOut, MAX_MS).unref()
    const { stalledMs = STALLED_MS } = this.#options
    let stalled: NodeJS.Timeout | undefined
    let settled = false
    const settle = () => {
      settled = true
      for (const timer of [limit, stalled]) clearTimeout(timer)
    }
    return new ReadableStream<Uint8Array>(
      {
        start: (to) => {
          controller = to
        },
        pull: async (to) => {
          clearTimeout(stalled)
          try {
            const { done, value } = waiting ?? (await process.bytes.next())
            waiting = undefined
            if (!done) {
              bytes += value.length
              stalled = setTimeout(timeOut, stalledMs).unref()
              return to.enqueue(value)
            }
            // Throws if the command failed. The connection then breaks, so that a partial file does not look complete.
            await process.ended
            await this.#remember(kind, { at, bytes }, subjectId)
            settle()
            to.close()
          } catch (error) {
            if (settled) return
            settle()
            // A cancelled download needs no line in the log.
            if (aborted.aborted) return to.error(error)
            this.#options.log(`a ${kind} failed half-way: ${(error as Error).message}`)
            to.error(error)
          }
        },
        cancel: () => {
          settle()
          process.end()
        },
      },
      { highWaterMark: 0 },
    )
  }

  #receipt(kind: ArchiveKind, bytes: number, { subjectId, surface, requestId }: ArchiveOccasion): Promise<void> {
    const nothing = { clientId: undefined, grantId: undefined, connectorKey: undefined, stream: undefined }
    const lists = { connections: [], fields: [], records: [] }
    const at = Date.now()
    return this.#options.receipts.append({
      ...nothing,
      ...lists,
      at,
      subjectId,
      surface,
      operation: kind,
      bytes,
      outcome: 'ok',
      requestId,
    })
  }

  #remember(kind: ArchiveKind, { at, bytes }: ArchiveInfo, subjectId: string): Promise<void> {
    return this.#options.settings.saveSetting(subjectId, settingOf(kind), JSON.stringify({ at, bytes }))
  }
}

const settingOf = (kind: ArchiveKind): string => `last_${kind}`
