import { hash } from 'node:crypto'
import type { Importer, ImportInput, ImportItem, InputTree, ReadTally } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { MarkdownNotes } from '../../models/note/markdown-folder.ts'
import { NoteIndex } from '../../models/note/note-index.ts'
import { eachOnce } from '../../models/note/once.ts'
import { noteItems } from '../../models/note/records.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems, readAll, stem } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { readCanvas } from './canvas.ts'

const declaration = noteSource('obsidian', 'Obsidian')
/** A file of settings, which every vault has at its root. */
const SETTINGS = /(?:^|\/)\.obsidian\/[^/]+\.json$/
const MAX_CANVAS_BYTES = 16_000_000

/** Imports vaults of Obsidian. */
export const obsidian: Importer = {
  id: 'obsidian',
  name: 'Obsidian',
  kind: 'notes',
  reads: 'vaults: folders of notes with `.obsidian` in them, or zips of them',

  async detect({ input, head, files }) {
    const path = treePath(input.name)
    const vault = files.get(path) === input ? undefined : vaultAround(path, files)
    if (vault !== undefined) return { format: 'vault', inputs: [input], group: vault }
    if (!SETTINGS.test(path) || !head.text?.trimStart().match(/^[{[]/)) return
    const root = vaultOf(path)
    return { format: 'vault', inputs: [input, ...files.below(root).filter((each) => each !== input)], group: root }
  },

  async streams(claim, overrides, known) {
    const root = rootOf(claim.inputs)
    const name = root.slice(root.lastIndexOf('/') + 1) || 'Vault'
    const connection = { id: connectionId('obsidian', name), name: `Obsidian: ${name}` }
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration, connection, zone, read: obsidian.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const root = rootOf(inputs)
    const ordered = await eachOnce(inputs, tally)
    const parts = Map.groupBy(ordered, ({ name }) => kindOf(treePath(name)))
    for (const input of parts.get('settings') ?? [])
      tally.leftOutFile(input, /\.trash\//.test(input.name) ? 'in the bin of the vault' : 'settings of Obsidian')
    for (const input of parts.get('base') ?? []) tally.leftOutFile(input, 'a view of other notes')
    const vault = ordered.filter(({ name }) => !/settings|base/.test(kindOf(treePath(name))))
    const isNote = (path: string) => /note|canvas/.test(kindOf(path))
    const folder = { root, zone, idOf: pathId, targetId: pathId, isNote, note: named }
    const notes = new MarkdownNotes(folder, vault, tally)
    for (const input of parts.get('note') ?? []) yield* failuresAsProblems(notes.read(input), input)
    const index = new NoteIndex(vault, root)
    for (const input of parts.get('canvas') ?? []) yield* failuresAsProblems(canvasItems(input, index, tally), input)
    for (const input of parts.get('file') ?? []) yield* failuresAsProblems(notes.unused([input]), input)
  },
}

/** In Obsidian, the file name is the title of a note; headings do not matter. */
const named: NonNullable<ConstructorParameters<typeof MarkdownNotes>[0]['note']> = (note) => ({
  ...note,
  title: stem(note.path!),
})

const pathId = (path: string): string => hash('sha256', path).slice(0, 32)

/**
 * The vault of a second copy of a file, packed or unpacked. The tree only contains the first copy, so this one joins
 * its vault.
 */
function vaultAround(path: string, files: InputTree): string | undefined {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    if (files.below(`${folder}/.obsidian`).length > 0) return folder
  return
}

const rootOf = (inputs: readonly ImportInput[]): string =>
  vaultOf(inputs.map(({ name }) => treePath(name)).find((path) => SETTINGS.test(path)) ?? '')

const vaultOf = (path: string): string => folderOf(folderOf(path))

function kindOf(path: string): 'note' | 'canvas' | 'base' | 'settings' | 'file' {
  if (/(?:^|\/)\.(?:obsidian|trash)\//.test(path)) return 'settings'
  const ending = /\.(md|canvas|base)$/i.exec(path)?.[1]?.toLowerCase()
  return ending === 'md' ? 'note' : ending === 'canvas' || ending === 'base' ? ending : 'file'
}

async function* canvasItems(input: ImportInput, index: NoteIndex, tally: ReadTally): AsyncIterable<ImportItem> {
  const place = { input: input.name }
  tally.saw('notes')
  const all = await readAll(input, MAX_CANVAS_BYTES)
  const canvas = 'bytes' in all ? readCanvas(all.bytes.toString('utf8')) : undefined
  if (!canvas) {
    yield { problem: { place, reason: 'is not a canvas that can be read', kind: 'notes', kept: false } }
    return
  }
  const path = index.relative(input)
  const links = canvas.links.map((link) => {
    const target = link.kind === 'web' ? undefined : index.find(link.target, input)
    const found = target && index.relative(target)
    return found !== undefined && kindOf(found) === 'note'
      ? { ...link, kind: 'note' as const, targetId: pathId(found) }
      : link
  })
  yield* noteItems(
    { id: pathId(path), title: stem(path), text: canvas.text, folder: folderOf(path), path, links },
    place,
  )
}
