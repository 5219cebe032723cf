import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PdppError } from '@pdpp/protocol'

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

  /** Writes a file as it arrives and returns its size. `used`: bytes of the earlier files. */
  async receive(importId: string, number: number, body: AsyncIterable<Uint8Array>, used: number): Promise<number> {
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
