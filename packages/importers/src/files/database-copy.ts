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

/** Copies of databases below a folder. They last as long as the import that needs them. */
export class DatabaseCopies {
  readonly #parent: string
  readonly #isOurs: boolean
  readonly #maxBytes: () => number
  readonly #folders = new Set<string>()

  /** `isOurs`: what is imported is a copy already. `maxBytes`: how large an unpacked database may grow. */
  constructor(parent: string, { isOurs = false, maxBytes = () => Number.POSITIVE_INFINITY } = {}) {
    this.#parent = parent
    this.#isOurs = isOurs
    this.#maxBytes = maxBytes
  }

  /**
   * A path at which a database can be opened while nothing is left beside the owner's file. SQLite makes files of its
   * own next to one in write-ahead mode, even for reading, so such a database is read from a copy.
   */
  pathOf(file: string): string {
    const isLive = existsSync(`${file}-wal`) && existsSync(`${file}-shm`)
    // Of a program that runs, what SQLite would make is there already, and a copy could be torn.
    if (this.#isOurs || isLive || modeOf(file) !== WRITE_AHEAD) return file
    const copy = join(this.#newFolder(), 'database')
    copyFileSync(file, copy, constants.COPYFILE_FICLONE)
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`)
    return copy
  }

  /** A database out of an archive. */
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
