import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportedFile } from './export-manifest.ts'
import type { TarFile } from './tar.ts'

const BUFFERED_CHARS = 262_144

/** Writes lines to a temporary file first, because a tar header needs the size before the content. */
export class Spool {
  readonly files: ExportedFile[] = []
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async take(name: string, lines: AsyncIterable<string> | Iterable<string>): Promise<TarFile> {
    const hash = createHash('sha256')
    const descriptor = openSync(this.#path, 'w', 0o600)
    let [bytes, rows, buffered] = [0, 0, '']
    const write = () => {
      const buffer = Buffer.from(buffered)
      buffered = ''
      hash.update(buffer)
      for (let at = 0; at < buffer.length; ) at += writeSync(descriptor, buffer, at)
      bytes += buffer.length
    }
    try {
      for await (const line of lines) {
        buffered += line
        rows++
        if (buffered.length < BUFFERED_CHARS) continue
        write()
        await nextTurn()
      }
      write()
    } finally {
      closeSync(descriptor)
    }
    this.files.push({ name, bytes, rows, sha256: hash.digest('hex') })
    return { name, size: bytes, bytes: createReadStream(this.#path) }
  }

  /** Adds bytes whose size is known, without copying them. */
  pass(name: string, bytes: AsyncIterable<Uint8Array>, size: number, sha256: string): TarFile {
    this.files.push({ name, bytes: size, rows: 0, sha256 })
    return { name, size, bytes }
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
