import type { Importer, ImportInput, ImportItem, InputTree, ReadTally } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { namedFiles } from '../../models/note/note-files.ts'
import { eachOnce } from '../../models/note/once.ts'
import { noteItems } from '../../models/note/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, stem } from '../../reading/input-bytes.ts'
import { FileTree, folderOf, treePath } from '../../reading/input-tree.ts'
import { type JsonItem, readJson } from '../../reading/json/json-stream.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { type DayOneEntry, dayOneEntry } from './entry.ts'

const declaration = noteSource('day-one', 'Day One')
const MEDIA_FOLDERS = ['photos', 'videos', 'audios', 'pdfs']

const OTHER_ENTRY = 'has the id of an entry that was imported, with another text; import one export at a time'

/** Imports journals of Day One, exported as JSON. */
export const dayOne: Importer = {
  id: 'day-one',
  name: 'Day One',
  kind: 'notes',
  reads: 'the zip that Day One exports as JSON, with photos and other files',

  async detect({ input, head: { text }, files }) {
    const isJournal =
      text !== undefined &&
      /^\s*\{\s*"(metadata|entries)"\s*:/.test(text) &&
      /"entries"\s*:\s*\[/.test(text) &&
      /"(creationDate|uuid)"\s*:\s*"/.test(text)
    if (!isJournal) return
    const folder = folderOf(treePath(input.name))
    const media = MEDIA_FOLDERS.flatMap((name) => files.below(folder === '' ? name : `${folder}/${name}`))
    return { format: 'day one', inputs: [input, ...media], group: folder }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration, read: dayOne.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const tree = new FileTree(inputs)
    const seen = new SeenKeys()
    for (const input of await eachOnce(inputs, tally))
      if (!isMedia(treePath(input.name))) yield* failuresAsProblems(itemsOf(input, tree, seen, tally), input)
  },
}

const isMedia = (path: string): boolean => MEDIA_FOLDERS.includes(folderOf(path).split('/').at(-1)!)

async function* itemsOf(
  input: ImportInput,
  tree: InputTree,
  seen: SeenKeys,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const journal = stem(input.name)
  let row = 0
  for await (const item of readJson(input, ['entries.*', 'metadata'])) {
    const place = { input: input.name, row: row + 1 }
    if ('cut' in item) yield { problem: { place, reason: 'ends in the middle of an entry', kept: false } }
    else if ('passedOver' in item) tally.leftOut(String(item.path[0] ?? 'file'), 'not part of a journal')
    else if (item.pattern === 'entries.*') {
      tally.saw('notes')
      row++
      const entry = entryOf(item, journal)
      const met = entry && seen.meet(entry.note.id, JSON.stringify(entry.note))
      if (!entry) yield { problem: { place, reason: 'is not an entry of a journal', kind: 'notes', kept: false } }
      else if (met === 'same') tally.leftOut('notes', 'copies of an entry that was imported')
      else if (met === 'other') yield { problem: { place, reason: OTHER_ENTRY, kind: 'notes', kept: false } }
      else yield* entryItems(entry, input, row, tree, tally)
    }
  }
}

function entryOf(item: JsonItem, journal: string): DayOneEntry | undefined {
  const value = 'value' in item ? item.value : undefined
  if (typeof value !== 'object' || value === null) return
  return dayOneEntry(value as Record<string, unknown>, journal)
}

async function* entryItems(
  { note, files, problem }: DayOneEntry,
  input: ImportInput,
  row: number,
  tree: InputTree,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name, row }
  yield* noteItems(note, place)
  if (problem !== undefined) yield { problem: { place, reason: problem, kept: true } }
  const named = files.map(({ name, paths }) => ({
    name,
    input: paths.map((path) => tree.near(input, path)).find((found) => found !== undefined),
  }))
  yield* namedFiles(note, named, input, tally)
}
