import type { ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { fileBlob, mediaTypeOf } from '../../reading/file-blob.ts'
import { readAll, stem } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { detectEncoding } from '../../reading/text-encoding.ts'
import { type MarkdownLink, type MarkdownText, readMarkdown, textsOf } from '../../text/markdown.ts'
import { NoteIndex } from './note-index.ts'
import { fileItem, type Note, type NoteLink, noteItems } from './records.ts'
import { dayInName, noteTime } from './times.ts'

/** Max. bytes of a file that is one note. */
const MAX_NOTE_BYTES = 32_000_000
const CREATED = ['created', 'created_at', 'createdAt', 'date created', 'creation_date', 'ctime', 'date']
const UPDATED = ['updated', 'updated_at', 'updatedAt', 'modified', 'date modified', 'lastmod', 'mtime']
/** Front matter keys that have a field of their own. */
const KNOWN = new Set([...CREATED, ...UPDATED, 'title', 'tags', 'tag', 'keywords', 'aliases', 'alias', 'author'])

const OTHER_NOTE = 'has the path of a note that was imported, with another text; import one folder at a time'

/** The parts in which services that keep notes as Markdown files differ. */
export interface MarkdownFolder {
  /** The folder that paths and ids are relative to. */
  readonly root: string
  readonly zone?: string | undefined
  idOf(path: string, bytes: Buffer): string
  /** The id of the note at a path that another note links to. Undefined if the id cannot be known. */
  targetId(path: string): string | undefined
  isNote(path: string): boolean
  /** Changes the values that come from the front matter and the file name. */
  note?(note: Note, markdown: MarkdownText): Note
}

/** Reads the Markdown notes of a folder with their links, tasks and files. */
export class MarkdownNotes {
  readonly #folder: MarkdownFolder
  readonly #tally: ReadTally
  readonly #index: NoteIndex
  readonly #met = new SeenKeys()
  readonly #used = new Set<ImportInput>()

  constructor(folder: MarkdownFolder, inputs: readonly ImportInput[], tally: ReadTally) {
    this.#folder = folder
    this.#tally = tally
    this.#index = new NoteIndex(inputs, folder.root)
  }

  async *read(input: ImportInput): AsyncIterable<ImportItem> {
    const place = { input: input.name }
    this.#tally.saw('notes')
    const all = await readAll(input, MAX_NOTE_BYTES)
    if ('tooLarge' in all) {
      const reason = `has ${all.tooLarge} bytes; a note has at most ${MAX_NOTE_BYTES}`
      yield { problem: { place, reason, kind: 'notes', kept: false } }
      return
    }
    const path = this.#index.relative(input)
    const id = this.#folder.idOf(path, all.bytes)
    // The export may contain a file twice, packed and unpacked.
    const met = this.#met.meet(id, all.bytes.toString('latin1'))
    if (met === 'same') return this.#tally.leftOut('notes', 'copies of a note that was imported')
    if (met === 'other') return yield { problem: { place, reason: OTHER_NOTE, kind: 'notes', kept: false } }
    const markdown = await readMarkdown(new TextDecoder(detectEncoding(all.bytes)).decode(all.bytes))
    yield* this.#items(id, path, markdown, input)
  }

  /** Files that no note refers to. Read them after all notes. */
  async *unused(inputs: readonly ImportInput[]): AsyncIterable<ImportItem> {
    for (const input of inputs)
      if (!this.#used.has(input)) yield* this.#file(undefined, input, this.#index.relative(input))
  }

  async *#items(id: string, path: string, markdown: MarkdownText, input: ImportInput): AsyncIterable<ImportItem> {
    const place = { input: input.name }
    const links: NoteLink[] = []
    const files = new Map<string, ImportInput | undefined>()
    for (const link of markdown.links) {
      if (link.kind === 'web') links.push(link)
      else this.#resolve(link, input, links, files)
    }
    const plain = { ...plainNote(id, path, markdown, this.#folder.zone), links, fileCount: files.size }
    const note = this.#folder.note?.(plain, markdown) ?? plain
    yield* noteItems(note, place)
    if (markdown.frontProblem !== undefined) yield { problem: { place, reason: markdown.frontProblem, kept: true } }
    for (const [name, file] of files)
      if (file) yield* this.#file(note, file, name)
      else yield this.#missing(note, name, place)
  }

  /** Decides whether a link leads to a note of the folder, to a file of the folder, or to nothing. */
  #resolve(
    link: MarkdownLink,
    from: ImportInput,
    links: NoteLink[],
    files: Map<string, ImportInput | undefined>,
  ): void {
    const target = this.#index.find(link.target, from)
    const path = target && this.#index.relative(target)
    if (path !== undefined && this.#folder.isNote(path)) {
      links.push({ ...link, kind: 'note', targetId: this.#folder.targetId(path) })
    } else if (target) files.set(path!, target)
    else if (link.isEmbedded && /\.\w{2,5}$/.test(link.target)) files.set(link.target, undefined)
    else links.push(link)
  }

  async *#file(note: Note | undefined, input: ImportInput, name: string): AsyncIterable<ImportItem> {
    const place = { input: input.name }
    this.#used.add(input)
    this.#tally.saw('attachments')
    const read = await fileBlob(input)
    if ('tooLarge' in read) {
      yield { problem: { place, reason: `has ${read.tooLarge} bytes, too many`, kind: 'attachments', kept: false } }
      return
    }
    const shown = name.slice(name.lastIndexOf('/') + 1)
    yield fileItem(note, { name: shown, key: name, blob: read.blob, text: read.text?.text }, place)
  }

  #missing(note: Note, name: string, place: InputPosition): ImportItem {
    this.#tally.saw('attachments')
    const shown = name.slice(name.lastIndexOf('/') + 1)
    return fileItem(note, { name: shown, key: name, mediaType: mediaTypeOf(name) }, place)
  }
}

function plainNote(id: string, path: string, { front, ...markdown }: MarkdownText, zone: string | undefined): Note {
  const first = (names: readonly string[]) =>
    names.map((name) => noteTime(front[name], zone)).find((time) => time !== undefined)
  const title = [front['title'], markdown.heading].find((text) => typeof text === 'string' && text.trim() !== '')
  return {
    id,
    title: typeof title === 'string' ? title : stem(path),
    text: markdown.body,
    folder: folderOf(path),
    path,
    tags: markdown.tags,
    aliases: [...textsOf(front['aliases']), ...textsOf(front['alias'])],
    author: textsOf(front['author']).join(', '),
    notedAt: dayInName(stem(path), zone),
    createdAt: first(CREATED),
    updatedAt: first(UPDATED),
    tasks: markdown.tasks,
    properties: Object.fromEntries(Object.entries(front).filter(([name]) => !KNOWN.has(name))),
  }
}

/** The top folder of a path; empty for a single file. */
export function topFolder(name: string): string {
  const path = treePath(name)
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : ''
}
