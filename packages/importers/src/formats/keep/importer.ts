import { parseJson } from '@pdpp/protocol'
import type { Importer, ImportInput, ImportItem, InputTree, ReadTally } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { namedFiles } from '../../models/note/note-files.ts'
import { byPath } from '../../models/note/once.ts'
import { noteItems } from '../../models/note/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, readAll, stem } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { FileTree } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { detectEncoding } from '../../reading/text-encoding.ts'
import { keepNote } from './note.ts'

const declaration = noteSource('google-keep', 'Google Keep')
const MAX_NOTE_BYTES = 16_000_000
/** Members that every note has, and that no other Takeout file has. */
const NOTE_MEMBERS = [/"isTrashed"\s*:/, /"isPinned"\s*:/, /"isArchived"\s*:/]

/** Imports the notes of Google Keep, as Google Takeout writes them. */
export const keep: Importer = {
  id: 'google-keep',
  name: 'Google Keep',
  kind: 'notes',
  reads: 'the folder Keep of a Google Takeout, or its JSON files',

  async detect({ input, head: { text }, files }) {
    if (!isNote(text)) return
    const named = [...text.matchAll(/"filePath"\s*:\s*"([^"\\]{1,500})"/g)].flatMap(
      ([, name]) => fileNear(files, input, name!) ?? [],
    )
    const beside = [`${stem(input.name)}.html`, 'Labels.txt'].flatMap((name) => files.near(input, name) ?? [])
    return { format: 'keep', inputs: [input, ...named, ...beside], group: 'google-keep' }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration, read: keep.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const tree = new FileTree(inputs)
    const seen = new SeenKeys()
    for (const input of byPath(inputs)) {
      if (/\.html$/i.test(input.name)) tally.leftOutFile(input, 'the same note as a page')
      else if (/\/Labels\.txt$/.test(input.name))
        tally.leftOutFile(input, 'a list of all labels; each note has its own')
      else if (isNote((await headOf(input)).text)) yield* failuresAsProblems(itemsOf(input, tree, seen, tally), input)
    }
  },
}

const isNote = (text: string | undefined): text is string =>
  text?.trimStart().startsWith('{') === true && NOTE_MEMBERS.every((member) => member.test(text))

/** Takeout writes `.jpeg` into the note and `.jpg` on the file. */
const fileNear = (files: InputTree, input: ImportInput, path: string): ImportInput | undefined =>
  files.near(input, path) ?? files.near(input, path.replace(/\.jpeg$/i, '.jpg'))

async function* itemsOf(
  input: ImportInput,
  tree: InputTree,
  seen: SeenKeys,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name }
  const lost = (reason: string): ImportItem => ({ problem: { place, reason, kind: 'notes', kept: false } })
  tally.saw('notes')
  const all = await readAll(input, MAX_NOTE_BYTES)
  if ('tooLarge' in all) return yield lost(`has ${all.tooLarge} bytes; a note has at most ${MAX_NOTE_BYTES}`)
  const text = new TextDecoder(detectEncoding(all.bytes)).decode(all.bytes)
  let data: unknown
  try {
    data = parseJson(text)
  } catch {
    return yield lost('is a note of Google Keep, but not whole JSON')
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    return yield lost('is not a note of Google Keep')
  const read = keepNote(data as Record<string, unknown>, stem(input.name))
  const met = seen.meet(read.note.id, text)
  if (met === 'same') return tally.leftOut('notes', 'copies of a note that was imported')
  // Keep cannot create two notes in the same microsecond, but a manipulated file may claim it.
  const note = met === 'other' ? { ...read.note, id: `${read.note.id}-${stem(input.name)}` } : read.note
  yield* noteItems(note, place)
  if (read.problem !== undefined) yield { problem: { place, reason: read.problem, kept: true } }
  const files = read.files.map(({ path, mediaType }) => ({ name: path, mediaType, input: fileNear(tree, input, path) }))
  yield* namedFiles(note, files, input, tally)
}
