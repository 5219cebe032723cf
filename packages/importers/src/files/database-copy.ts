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
  statSync,
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
  readonly #onExit = () => this.remove()

  /**
   * `isOurs`: the files are our own copies already, so that they need no second copy. `maxBytes`: max. size of an
   * unpacked database.
   */
  constructor(parent: string, { isOurs = false, maxBytes = () => Number.POSITIVE_INFINITY } = {}) {
    this.#parent = parent
    this.#isOurs = isOurs
    this.#maxBytes = maxBytes
  }

  /**
   * Returns the path of a copy, because another program may write to the database during the import. SQLite makes the
   * copy, so that it shows one state of the database. The exception is a database in write-ahead mode that no program
   * has open: it is copied as a file, because SQLite would create files next to it.
   */
  async pathOf(file: string): Promise<string> {
    if (this.#isOurs) return file
    if (statSync(file).size > this.#maxBytes()) throw new Error('the database is larger than the free space')
    const copy = join(this.#newFolder(), 'database')
    const isOpen = existsSync(`${file}-shm`)
    if (modeOf(file) !== WRITE_AHEAD || isOpen) {
      // Most imports have no database, so SQLite is loaded when it is needed.
      const { snapshotDatabase } = await import('../reading/database.ts')
      await snapshotDatabase(file, copy)
      return copy
    }
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
    return copy
  }

  /** Unpacks a database or an inner archive from an archive. */
  async unpacked(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const copy = join(this.#newFolder(), 'database')
    await pipeline(Readable.from(bounded(bytes, this.#maxBytes())), createWriteStream(copy, { mode: 0o600 }))
    return copy
  }

  remove(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
    this.#folders.clear()
    process.off('exit', this.#onExit)
  }

  #newFolder(): string {
    if (this.#folders.size === 0) process.once('exit', this.#onExit)
    const folder = mkdtempSync(join(this.#parent, 'pdpp-import-'))
    this.#folders.add(folder)
    return folder
  }
}

async function* bounded(bytes: AsyncIterable<Uint8Array>, max: number): AsyncIterable<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > max) throw new Error('its content is larger than the free space')
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
