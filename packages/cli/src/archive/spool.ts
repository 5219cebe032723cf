import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ExportedFile } from './export-manifest.ts'
import type { TarFile } from './tar.ts'

const BUFFERED_CHARS = 262_144

/** Lines of unknown number in a file of their own first: a tar says how long a file is before it comes. */
export class Spool {
  readonly files: ExportedFile[] = []
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async take(name: string, lines: AsyncIterable<string> | Iterable<string>): Promise<TarFile> {
    const hash = createHash('sha256')
    const descriptor = openSync(this.#path, 'w', 0o600)
    let [bytes, rows, held] = [0, 0, '']
    const write = () => {
      const buffer = Buffer.from(held)
      held = ''
      hash.update(buffer)
      for (let at = 0; at < buffer.length; ) at += writeSync(descriptor, buffer, at)
      bytes += buffer.length
    }
    try {
      for await (const line of lines) {
        held += line
        rows++
        if (held.length < BUFFERED_CHARS) continue
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

  /** A file that is there already goes as it is. */
  pass(name: string, path: string, size: number, sha256: string): TarFile {
    this.files.push({ name, bytes: size, rows: 0, sha256 })
    return { name, size, bytes: createReadStream(path) }
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }
}
