import type { ImportInput } from '../../importer.ts'
import { decodeText, encodingOf } from '../../reading/text-encoding.ts'
import { XmlReader } from '../../text/xml-events.ts'

/**
 * Max. characters of a note's text, and max. bytes of all its files, because both are in memory until the note ends.
 */
const MAX_CONTENT_CHARS = 16_000_000
const MAX_FILE_BYTES = 64_000_000

export interface EnexFile {
  readonly fields: ReadonlyMap<string, string>
  /** Undefined if the file is too large. */
  readonly bytes: Buffer | undefined
  readonly size: number
}

export interface EnexNote {
  /** Texts of elements by name, except those of files and tasks. */
  readonly fields: ReadonlyMap<string, string>
  readonly tags: readonly string[]
  readonly tasks: readonly ReadonlyMap<string, string>[]
  readonly files: readonly EnexFile[]
  readonly isCut: boolean
}

/** Reads the notes of an ENEX file one by one. `isOpen` tells whether the file ended in the middle of a note. */
export async function* enexNotes(input: ImportInput, state: { isOpen: boolean }): AsyncIterable<EnexNote> {
  const done: EnexNote[] = []
  const builder = new NoteBuilder((note) => done.push(note))
  const reader = await XmlReader.for(builder)
  const drain = function* () {
    while (done.length > 0) yield done.shift()!
  }
  for await (const piece of decodeText(input, await encodingOf(input))) {
    try {
      reader.write(piece)
    } finally {
      state.isOpen = builder.isOpen
      yield* drain()
    }
  }
  reader.end()
  yield* drain()
}

/** Builds a note from its elements. */
class NoteBuilder {
  readonly #finish: (note: EnexNote) => void
  #note: { fields: Map<string, string>; tags: string[]; tasks: Map<string, string>[]; files: EnexFile[] } | undefined
  #inner: { kind: 'task' | 'resource'; fields: Map<string, string> } | undefined
  #name = ''
  #text: string[] = []
  #chars = 0
  #isCut = false
  #base64 = new Base64Bytes()
  #heldBytes = 0

  constructor(finish: (note: EnexNote) => void) {
    this.#finish = finish
  }

  get isOpen(): boolean {
    return this.#note !== undefined
  }

  open(name: string): void {
    if (name === 'note') {
      this.#note = { fields: new Map(), tags: [], tasks: [], files: [] }
      this.#heldBytes = 0
      this.#isCut = false
    } else if (name === 'task' || name === 'resource') {
      this.#inner = { kind: name, fields: new Map() }
      this.#base64 = new Base64Bytes(MAX_FILE_BYTES - this.#heldBytes)
    }
    this.#name = name
    this.#text = []
    this.#chars = 0
  }

  text(piece: string): void {
    if (this.#inner?.kind === 'resource' && this.#name === 'data') this.#base64.add(piece)
    else if (this.#chars + piece.length > MAX_CONTENT_CHARS) this.#isCut = true
    else {
      this.#chars += piece.length
      this.#text.push(piece)
    }
  }

  close(name: string): void {
    if (!this.#note) return
    if (name === 'note') {
      this.#finish({ ...this.#note, isCut: this.#isCut })
      this.#note = undefined
    } else if (this.#inner?.kind === name) this.#closeInner(this.#inner)
    else if (name === this.#name && name !== 'recognition') this.#closeField(name)
    this.#name = ''
  }

  #closeInner({ kind, fields }: { kind: 'task' | 'resource'; fields: Map<string, string> }): void {
    if (kind === 'task') this.#note!.tasks.push(fields)
    else {
      const { bytes, size } = this.#base64.end()
      this.#heldBytes += bytes?.length ?? 0
      this.#note!.files.push({ fields, bytes, size })
    }
    this.#inner = undefined
  }

  #closeField(name: string): void {
    const text = this.#text.join('').trim()
    if (name === 'tag' && !this.#inner) this.#note!.tags.push(text)
    // A reminder inside a task has elements with the same names. The task's own elements come first and win.
    else if (this.#inner) this.#inner.fields.set(name, this.#inner.fields.get(name) ?? text)
    else this.#note!.fields.set(name, text)
  }
}

/** Decodes base64 that arrives in pieces with line breaks. Above the limit it only counts bytes. */
class Base64Bytes {
  readonly #limit: number
  #rest = ''
  /** The buffer grows by half, because thousands of small buffers would be freed late. */
  #held: Buffer = Buffer.alloc(0)
  #size = 0

  constructor(limit = 0) {
    this.#limit = limit
  }

  add(piece: string): void {
    const text = this.#rest + (/[^A-Za-z0-9+/]/.test(piece) ? piece.replace(/[^A-Za-z0-9+/]+/g, '') : piece)
    const whole = text.length - (text.length % 4)
    this.#rest = text.slice(whole)
    this.#keep(text.slice(0, whole))
  }

  end(): { bytes: Buffer | undefined; size: number } {
    this.#keep(this.#rest)
    const bytes = this.#size > this.#limit ? undefined : this.#held.subarray(0, this.#size)
    this.#held = Buffer.alloc(0)
    return { bytes, size: this.#size }
  }

  #keep(text: string): void {
    const size = this.#size + Math.floor((text.length * 3) / 4)
    if (size > this.#limit) this.#held = Buffer.alloc(0)
    else {
      if (size > this.#held.length) this.#held = grown(this.#held, Math.min(this.#limit, Math.ceil(size * 1.5)))
      this.#held.write(text, this.#size, 'base64')
    }
    this.#size = size
  }
}

function grown(bytes: Buffer, length: number): Buffer {
  const larger = Buffer.alloc(length)
  bytes.copy(larger)
  return larger
}
