import {
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const WRITE_AHEAD = 2
const MODE_OFFSET = 18

/** Copies of databases below a folder. They are removed when the import ends. */
export class DatabaseCopies {
  readonly #parent: string
  readonly #isOurs: boolean
  readonly #maxBytes: () => number
  readonly #folders = new Set<string>()

  /** `isOurs`: the files are copies already. `maxBytes`: max. size of an unpacked database. */
  constructor(parent: string, { isOurs = false, maxBytes = () => Number.POSITIVE_INFINITY } = {}) {
    this.#parent = parent
    this.#isOurs = isOurs
    this.#maxBytes = maxBytes
  }

  /**
   * A path at which the database can be opened without new files next to the owner's. SQLite creates files next to a
   * database in write-ahead mode, even for reading, so such a database is copied.
   */
  pathOf(file: string): string {
    const isLive = existsSync(`${file}-wal`) && existsSync(`${file}-shm`)
    // If a program uses the database, these files exist already, and a copy could be inconsistent.
    if (this.#isOurs || isLive || modeOf(file) !== WRITE_AHEAD) return file
    const copy = join(this.#newFolder(), 'database')
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
    return copy
  }

  /** Unpacks a database from an archive. */
  async unpacked(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const copy = join(this.#newFolder(), 'database')
    await pipeline(Readable.from(bounded(bytes, this.#maxBytes())), createWriteStream(copy, { mode: 0o600 }))
    return copy
  }

  remove(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
    this.#folders.clear()
  }

  #newFolder(): string {
    if (this.#folders.size === 0) process.once('exit', () => this.remove())
    const folder = mkdtempSync(join(this.#parent, 'pdpp-import-'))
    this.#folders.add(folder)
    return folder
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, most: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > most) throw new Error('the database inside grows larger than there is room for')
    yield chunk
  }
}

function modeOf(file: string): number | undefined {
  const descriptor = openSync(file, 'r')
  try {
    const header = Buffer.alloc(MODE_OFFSET + 1)
    return readSync(descriptor, header, 0, header.length, 0) === header.length ? header[MODE_OFFSET] : undefined
  } finally {
    closeSync(descriptor)
  }
}
