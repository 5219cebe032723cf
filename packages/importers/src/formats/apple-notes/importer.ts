import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { type NamedFile, namedFiles } from '../../models/note/note-files.ts'
import { eachOnce } from '../../models/note/once.ts'
import { type Note, noteItems } from '../../models/note/records.ts'
import { epochTime } from '../../models/note/times.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { databaseRefusal, isDatabase, openDatabase } from '../../reading/database.ts'
import { readHead } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { ImportRefusal } from '../../refusal.ts'
import { type NoteBody, noteBody } from './body.ts'
import { NoteStore, type StoredFile, type StoredNote } from './store.ts'

const declaration = noteSource('apple-notes', 'Apple Notes')
/** Folders next to the database that contain the files of notes. */
const FILE_FOLDERS = ['Accounts', 'FallbackPDFs', 'FallbackImages', 'Media']
const MAGIC_BYTES = 16
const TRASH_FOLDER = 1
/** Parts of a note that are not files: tables, tags, mentions. */
const INLINE = /^com\.apple\.notes\.(table|inlinetextattachment|gallery)/

/** Imports the database of Apple Notes. */
export const appleNotes: Importer = {
  id: 'apple-notes',
  name: 'Apple Notes',
  kind: 'notes',
  reads: 'NoteStore.sqlite of a Mac, or the folder that it is in, with the files of the notes',

  async detect({ input, head: { bytes }, files }) {
    if (!isDatabase(bytes) || !bytes.includes('ZICCLOUDSYNCINGOBJECT') || !bytes.includes('ZICNOTEDATA')) return
    const folder = folderOf(treePath(input.name))
    const beside = FILE_FOLDERS.flatMap((name) => files.below(folder === '' ? name : `${folder}/${name}`))
    return { format: 'apple notes', inputs: [input, ...beside], group: treePath(input.name) }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration, read: appleNotes.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    // The folder of a file has the name by which the database identifies the file.
    const byFolder = new Map(
      inputs.flatMap((input) =>
        folderOf(treePath(input.name))
          .split('/')
          .map((part) => [part, input] as const),
      ),
    )
    for (const input of await eachOnce(inputs, tally))
      if (isDatabase(await readHead(input, MAGIC_BYTES))) yield* itemsOf(input, byFolder, tally)
  },
}

type FilesByFolder = ReadonlyMap<string, ImportInput>

async function* itemsOf(input: ImportInput, byFolder: FilesByFolder, tally: ReadTally): AsyncIterable<ImportItem> {
  const database = await openDatabase(input)
  try {
    const store = new NoteStore(database)
    for (const { stored, files } of store.notes()) {
      tally.saw('notes')
      yield* noteOf(stored, files, input, byFolder, tally)
    }
  } catch (error) {
    throw error instanceof ImportRefusal ? error : databaseRefusal(input, error)
  } finally {
    database.close()
  }
}

async function* noteOf(
  stored: StoredNote,
  all: readonly StoredFile[],
  input: ImportInput,
  byFolder: FilesByFolder,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name, table: 'ZICNOTEDATA', row: Number(stored.pk) }
  const isLocked = stored.isLocked === 1
  const { body, problem } = isLocked ? {} : bodyOf(stored.data)
  const inline = all.filter(({ type }) => INLINE.test(String(type)))
  const addresses = all.flatMap(({ address }) => (typeof address === 'string' && address !== '' ? [address] : []))
  const files = all
    .filter((file) => !inline.includes(file) && file.type !== 'public.url')
    .map((file) => found(file, byFolder))
  const note: Note = {
    id: textOf(stored.identifier) ?? `note-${stored.pk}`,
    title: textOf(stored.title),
    text: body?.text,
    folder: [textOf(stored.account), textOf(stored.folder)].filter((part) => part !== undefined).join('/'),
    createdAt: cocoaTime(stored.created),
    updatedAt: cocoaTime(stored.modified),
    isPinned: stored.isPinned === 1,
    isDeleted: stored.isDeleted === 1 || stored.folderKind === TRASH_FOLDER,
    isLocked,
    links: [...(body?.links ?? []), ...addresses.map((target) => ({ kind: 'web' as const, target }))],
    tasks: body?.tasks,
    fileCount: files.length,
  }
  yield* noteItems(note, place)
  if (problem !== undefined) yield { problem: { place, reason: problem, kept: true } }
  tally.saw('attachments', inline.length)
  if (inline.length > 0) tally.leftOut('attachments', 'tables and similar objects inside a note', inline.length)
  yield* namedFiles(note, files, input, tally)
}

function bodyOf(data: Buffer | null): { body?: NoteBody | undefined; problem?: string } {
  if (data === null) return { problem: 'has no text' }
  try {
    const body = noteBody(data)
    return body ? { body } : { problem: 'has no text' }
  } catch (error) {
    return { problem: `has a text that cannot be read: ${(error as Error).message.slice(0, 120)}` }
  }
}

function found({ identifier, mediaIdentifier, filename, type }: StoredFile, byFolder: FilesByFolder): NamedFile {
  const ids = [textOf(mediaIdentifier), textOf(identifier)].filter((each) => each !== undefined)
  const input = ids.map((id) => byFolder.get(id)).find((each) => each !== undefined)
  const name = textOf(filename) ?? input?.name.split('/').at(-1) ?? `${ids[0] ?? 'file'} (${String(type)})`
  return { name, key: String(identifier ?? name), input }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Seconds since 2001, with fractions. */
const cocoaTime = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value)
    ? epochTime('mac', String(Math.round(value * 1000) / 1000))
    : undefined
