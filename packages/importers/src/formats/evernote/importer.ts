import { createHash, hash } from 'node:crypto'
import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { eachOnce } from '../../models/note/once.ts'
import { fileItem, type Note, noteItems } from '../../models/note/records.ts'
import { compactTime } from '../../models/note/times.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { blobOf } from '../../reading/blob.ts'
import { failuresAsProblems, stem } from '../../reading/input-bytes.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { extractText } from '../../text/extract.ts'
import { type EnexFile, type EnexNote, enexNotes } from './enex.ts'
import { readEnml } from './enml.ts'

const declaration = noteSource('evernote', 'Evernote')
const UNKNOWN_TYPE = 'application/octet-stream'

/** Imports notebooks of Evernote (ENEX files). */
export const evernote: Importer = {
  id: 'evernote',
  name: 'Evernote',
  kind: 'notes',
  reads: 'ENEX files: one for each notebook, with all attachments',

  async detect({ input, head: { text } }) {
    if (text === undefined || !/^\uFEFF?\s*<[?!e]/.test(text) || !/<en-export\b/.test(text)) return
    return { format: 'enex', inputs: [input], group: 'evernote' }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration, read: evernote.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const ids = new StableIds()
    for (const input of await eachOnce(inputs, tally)) yield* failuresAsProblems(itemsOf(input, ids, tally), input)
  },
}

async function* itemsOf(input: ImportInput, ids: StableIds, tally: ReadTally): AsyncIterable<ImportItem> {
  const state = { isOpen: false }
  let row = 0
  try {
    for await (const enex of enexNotes(input, state)) {
      tally.saw('notes')
      yield* noteOf(enex, input, { input: input.name, row: ++row }, ids, tally)
    }
  } catch (error) {
    const reason = `cannot be read further: ${(error as Error).message.slice(0, 200)}`
    if (state.isOpen) tally.saw('notes')
    const kind = state.isOpen ? 'notes' : undefined
    yield { problem: { place: { input: input.name, row: row + 1 }, reason, kind, kept: false } }
  }
}

async function* noteOf(
  enex: EnexNote,
  input: ImportInput,
  place: InputPosition,
  ids: StableIds,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const { fields } = enex
  const enml = readEnml(fields.get('content') ?? '')
  const notebook = stem(input.name)
  const created = fields.get('created')
  // A note has no id. Its creation time and title do not change when its text changes.
  const content = created === undefined ? hash('sha256', fields.get('content') ?? '') : undefined
  const files = filesOf(enex)
  const note: Note = {
    id: ids.idOf(notebook, created, fields.get('title'), content),
    title: fields.get('title'),
    text: enml.text,
    folder: notebook,
    tags: enex.tags,
    author: fields.get('author'),
    createdAt: compactTime(created),
    updatedAt: compactTime(fields.get('updated')),
    url: fields.get('source-url'),
    place: fields.get('place-name'),
    latitude: degrees(fields.get('latitude'), 90),
    longitude: degrees(fields.get('longitude'), 180),
    isLocked: enml.isLocked,
    links: enml.links,
    tasks: [...enml.tasks, ...enex.tasks.map(taskOf)],
    properties: propertiesOf(fields),
    fileCount: files.size,
  }
  yield* noteItems(note, place)
  if (enex.isCut) yield { problem: { place, reason: 'is longer than can be read; its end is missing', kept: true } }
  tally.saw('attachments', enex.files.length)
  if (enex.files.length > files.size)
    tally.leftOut('attachments', 'the same file twice in a note', enex.files.length - files.size)
  for (const [key, file] of files) yield await fileOf(note, key, file, place)
}

/** The files by the hash with which the text refers to them. Of several equal files, the first keeps its name. */
function filesOf({ files }: EnexNote): Map<string, EnexFile> {
  const found = new Map<string, EnexFile>()
  for (const [at, file] of files.entries()) {
    const key = file.bytes ? md5(file.bytes) : `large-${at + 1}`
    if (!found.has(key)) found.set(key, file)
  }
  return found
}

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

async function fileOf(
  note: Note,
  key: string,
  { fields, bytes, size }: EnexFile,
  place: InputPosition,
): Promise<ImportItem> {
  const name = fields.get('file-name') ?? key
  if (!bytes)
    return {
      problem: { place, reason: `has the file ${name} of ${size} bytes, too many`, kind: 'attachments', kept: false },
    }
  const mediaType = /^[\w.+-]+\/[\w.+-]+$/.exec(fields.get('mime') ?? '')?.[0] ?? UNKNOWN_TYPE
  const text = await extractText(bytes, { mediaType, name })
  return fileItem(note, { name, key, blob: blobOf('/blob_ref', bytes, mediaType), text: text?.text }, place)
}

const taskOf = (fields: ReadonlyMap<string, string>) => ({
  text: fields.get('title') ?? '',
  isDone: fields.get('taskStatus') === 'completed',
  dueAt: compactTime(fields.get('dueDate')),
})

function degrees(text: string | undefined, max: number): number | undefined {
  const value = Number(text ?? Number.NaN)
  return Number.isFinite(value) && Math.abs(value) <= max ? value : undefined
}

function propertiesOf(fields: ReadonlyMap<string, string>): Record<string, string> {
  const kept = ['source', 'source-application', 'reminder-time', 'reminder-done-time', 'subject-date', 'altitude']
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = fields.get(name)
      return value === undefined || value === '' ? [] : [[name.replaceAll('-', '_'), compactTime(value) ?? value]]
    }),
  )
}
