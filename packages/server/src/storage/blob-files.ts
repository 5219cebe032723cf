import { createHash, randomUUID } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PdppError } from '@pdpp/protocol/reading'
import type { BlobUpload, ByteRange } from '../blobs/blob-store.ts'
import { fileStream } from '../lib/file-stream.ts'

/** Free bytes that uploads must leave for the databases. */
const RESERVED_BYTES = 67_108_864
/** Check the free space again after this many bytes of an upload. */
const CHECK_EVERY_BYTES = 16_777_216
const INCOMING = 'incoming'
const SHA256 = /^[0-9a-f]{64}$/

export const BLOB_FOLDER = 'blobs'

/** The path of a blob below the folder. */
export const blobPath = (sha256: string): string => join(sha256.slice(0, 2), sha256)

/** A complete upload under its temporary name. */
export interface ReceivedFile {
  readonly sha256: string
  readonly sizeBytes: number
  readonly part: string
}

/**
 * Blobs as files, named by their hash. Bytes are written under a temporary name and flushed before the file gets its
 * final name, so a file with a final name is complete.
 */
export class BlobFiles {
  readonly #directory: string
  readonly #freeBytes: () => Promise<number>
  readonly #readers = new Map<string, Set<(reason: string) => void>>()
  readonly #onRemove: (sha256: string) => void

  /** `onRemove` is called after a file was deleted. */
  constructor(
    directory: string,
    freeBytes = () => freeBytesOf(directory),
    onRemove: (sha256: string) => void = () => {},
  ) {
    this.#directory = directory
    this.#freeBytes = freeBytes
    this.#onRemove = onRemove
  }

  async receive({ bytes, declaredBytes = 0, maxBytes }: Omit<BlobUpload, 'mimeType'>): Promise<ReceivedFile> {
    if (declaredBytes > maxBytes) throw tooLarge(maxBytes)
    makeFolder(join(this.#directory, INCOMING))
    await this.#requireRoom(declaredBytes)
    const part = join(this.#directory, INCOMING, randomUUID())
    const hash = createHash('sha256')
    let size = 0
    const counted = async function* (this: BlobFiles, source: AsyncIterable<Uint8Array>) {
      let checkedAt = 0
      for await (const chunk of source) {
        size += chunk.length
        if (size > maxBytes) throw tooLarge(maxBytes)
        if (size - checkedAt > CHECK_EVERY_BYTES) {
          checkedAt = size
          await this.#requireRoom(0)
        }
        hash.update(chunk)
        yield chunk
      }
    }.bind(this)
    try {
      const handle = await open(part, 'wx', 0o600)
      await pipeline(bytes, counted, handle.createWriteStream({ flush: true }))
    } catch (error) {
      rmSync(part, { force: true })
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? noRoom(0) : error
    }
    const sha256 = hash.digest('hex')
    return { sha256, sizeBytes: size, part }
  }

  drop({ part }: ReceivedFile): void {
    rmSync(part, { force: true })
  }

  /** Moves the file to its final path. Synchronous, so that the row about it follows in the same turn. */
  keep({ part, sha256, sizeBytes: size }: ReceivedFile): void {
    const path = this.#path(sha256)
    if (statSync(path, { throwIfNoEntry: false })?.size === size) {
      rmSync(part, { force: true })
      return
    }
    const folder = join(path, '..')
    makeFolder(folder)
    renameSync(part, path)
    flushFolder(folder)
  }

  /** Streams a range of bytes. Undefined if there is no such file. */
  async read(sha256: string, range: ByteRange, idleMs: number): Promise<ReadableStream<Uint8Array> | undefined> {
    const handle = await open(this.#path(sha256), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return
      throw error
    })
    if (!handle) return
    const readers = this.#readers.get(sha256) ?? new Set()
    this.#readers.set(sha256, readers)
    const { stream, cut } = fileStream(handle, range, idleMs, () => {
      readers.delete(cut)
      if (readers.size === 0) this.#readers.delete(sha256)
    })
    readers.add(cut)
    return stream
  }

  /** Deletes the file at once and ends running downloads of it. */
  remove(sha256: string): void {
    rmSync(this.#path(sha256), { force: true })
    this.endDownloads(sha256)
    this.#onRemove(sha256)
  }

  /** Call if another thread deleted the file. */
  endDownloads(sha256: string): void {
    for (const cut of [...(this.#readers.get(sha256) ?? [])]) cut('the blob was removed')
  }

  /** The hashes of all stored files. */
  async *all(): AsyncIterable<string> {
    for (const folder of await names(this.#directory)) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue
      for (const name of await names(join(this.#directory, folder))) if (SHA256.test(name)) yield name
    }
  }

  /** Deletes uploads that a killed process left unfinished. */
  async clearIncoming(): Promise<void> {
    await rm(join(this.#directory, INCOMING), { recursive: true, force: true })
  }

  #path(sha256: string): string {
    if (!SHA256.test(sha256)) throw new Error('that is not a hash')
    return join(this.#directory, blobPath(sha256))
  }

  async #requireRoom(bytes: number): Promise<void> {
    if ((await this.#freeBytes()) < bytes + RESERVED_BYTES) throw noRoom(bytes)
  }
}

function tooLarge(maxBytes: number): PdppError {
  return new PdppError('resource_limit', `A blob may have at most ${maxBytes} bytes on this server.`, {
    nextStep: 'Leave the file out, or ask the owner to raise PDPP_BLOB_MAX_BYTES.',
  })
}

function noRoom(bytes: number): PdppError {
  const what =
    bytes === 0 ? 'The disk of the server is nearly full' : `The disk of the server has no room for ${bytes} bytes`
  return new PdppError('insufficient_storage', `${what}, so nothing was saved.`)
}

async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  flushFolder(join(folder, '..'))
}

/** A file's name is durable only after its folder is flushed. Windows cannot open folders and needs no flush. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
