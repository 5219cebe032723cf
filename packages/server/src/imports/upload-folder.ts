import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PdppError } from '@pdpp/protocol'
import type { ImportBody } from './import.ts'

/** A file that a browser sends. */
export interface Upload {
  readonly name: string
  readonly body: AsyncIterable<Uint8Array>
}

export interface UploadLimits {
  /** Max. bytes of all files of one import together. */
  readonly maxBytes: number
  readonly maxFiles: number
  /** Max. imports that keep files, because they wait for the owner or can resume. */
  readonly maxHeld: number
  /** Bytes of the disk that stay free. */
  readonly reserveBytes: number
  readonly freeBytes: (directory: string) => number
}

const UPLOAD_LIMITS: UploadLimits = {
  maxBytes: 20_000_000_000,
  maxFiles: 1000,
  maxHeld: 20,
  reserveBytes: 500_000_000,
  freeBytes: (directory) => {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  },
}

/** Max. characters of a file name, including its folders. */
const MAX_NAME = 1000
/** A long upload checks the free space again after this many bytes. */
const LOOK_BYTES = 32_000_000

/**
 * Uploaded files, in one folder per import. The files are numbered, so that names chosen by others are never used on
 * disk.
 */
export class UploadFolder {
  readonly limits: UploadLimits
  readonly #root: string

  constructor(dataDir: string, limits: Partial<UploadLimits> = {}) {
    this.#root = join(dataDir, 'imports')
    this.limits = { ...UPLOAD_LIMITS, ...limits }
  }

  pathOf(importId: string, ...parts: string[]): string {
    return join(this.#root, importId, ...parts)
  }

  make(importId: string): void {
    mkdirSync(this.pathOf(importId), { recursive: true, mode: 0o700 })
  }

  remove(importId: string): void {
    rmSync(this.pathOf(importId), { recursive: true, force: true })
  }

  /** The ids of imports that have a folder. */
  all(): string[] {
    return existsSync(this.#root) ? readdirSync(this.#root) : []
  }

  has(importId: string, files: number): boolean {
    return Array.from({ length: files }, (_, at) => at).every((at) => existsSync(this.pathOf(importId, String(at))))
  }

  /** The number of bytes that can still be uploaded. */
  room(): number {
    const { freeBytes, reserveBytes } = this.limits
    mkdirSync(this.#root, { recursive: true, mode: 0o700 })
    return Math.max(0, freeBytes(this.#root) - reserveBytes)
  }

  /** Writes the files of one import to disk as they arrive. */
  async receive(importId: string, uploads: AsyncIterable<Upload>): Promise<ImportBody['files']> {
    const { maxFiles } = this.limits
    const files: { name: string; bytes: number }[] = []
    const taken = new Set<string>()
    let used = 0
    for await (const { name, body } of uploads) {
      if (files.length >= maxFiles)
        throw new PdppError('resource_limit', `One import may have at most ${maxFiles} files.`, {
          nextStep: 'Put them into a zip and import that.',
        })
      const bytes = await this.#receiveFile(importId, files.length, body, used)
      used += bytes
      const free = unused(name, taken)
      taken.add(free)
      files.push({ name: free, bytes })
    }
    if (files.length > 0) return files
    throw new PdppError('invalid_request', 'No file was chosen.', {
      nextStep: 'Go back, choose a file and send the form again.',
    })
  }

  /** Returns the size of the file. `used`: bytes of the earlier files. */
  async #receiveFile(importId: string, number: number, body: AsyncIterable<Uint8Array>, used: number): Promise<number> {
    let size = 0
    let inspected = Number.NEGATIVE_INFINITY
    const check = (bytes: number) => {
      this.requireSize(used + bytes)
      if (bytes - inspected < LOOK_BYTES) return
      inspected = bytes
      this.requireRoom(0)
    }
    async function* checked() {
      for await (const chunk of body) {
        check(size)
        size += chunk.length
        yield chunk
      }
      check(size)
    }
    const file = createWriteStream(this.pathOf(importId, String(number)), { mode: 0o600, flags: 'wx' })
    try {
      await pipeline(Readable.from(checked()), file)
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? storageFull() : error
    }
    return size
  }

  requireRoom(bytes: number): void {
    const room = this.room()
    if (room === 0 || bytes > room) throw storageFull()
  }

  requireSize(bytes: number): void {
    const { maxBytes } = this.limits
    if (bytes > maxBytes)
      throw new PdppError('resource_limit', `One import may have at most ${Math.floor(maxBytes / 1_000_000)} MB.`, {
        nextStep: 'Import the files in several parts, or with `pdpp import` on the server, which has no limit.',
      })
  }
}

const storageFull = (): PdppError =>
  new PdppError('insufficient_storage', 'The disk of the server has no room for these files.')

/** Adds a number to the name if another file has the same name. */
function unused(name: string, taken: ReadonlySet<string>): string {
  // Keeps the end of the name, because it shows the file type.
  const shortened = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 300)}…${name.slice(-299)}` : name
  const dot = shortened.indexOf('.', shortened.lastIndexOf('/') + 2)
  const [stem, rest] = dot === -1 ? [shortened, ''] : [shortened.slice(0, dot), shortened.slice(dot)]
  let free = shortened
  for (let count = 2; taken.has(free); count++) free = `${stem} (${count})${rest}`
  return free
}
