import { hash } from 'node:crypto'
import type { Importer, ImportInput } from '../../importer.ts'
import { noteSource } from '../../models/note/declaration.ts'
import { MarkdownNotes, topFolder } from '../../models/note/markdown-folder.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { connectionId } from '../../reading/stable-ids.ts'
import { readMarkdown } from '../../text/markdown.ts'
import { isNoteName, isNoteText } from './detect.ts'

const declaration = noteSource('markdown', 'Notes')

/** Imports Markdown and plain text files, together with the files that they link to. */
export const markdown: Importer = {
  id: 'markdown',
  name: 'Markdown and text',
  kind: 'notes',
  reads: 'Markdown and plain text files, alone or in folders, with the files they link to',

  async detect({ input, head, files }) {
    if (head.text === undefined || !isNoteText(input.name, head.text)) return
    const top = topFolder(input.name)
    // Linked notes are left out, because each note claims itself.
    const { links } = await readMarkdown(head.text)
    const linked = links
      .flatMap(({ kind, target }) => (kind === 'web' ? [] : (files.near(input, target) ?? [])))
      .filter(({ name }) => !isNoteName(name) && topFolder(name) === top)
    // Notes of one folder are one source, because they link to each other.
    return { format: 'markdown', inputs: [input, ...new Set(linked)], group: top }
  },

  async streams(claim, overrides, known) {
    const folder = topFolder(claim.inputs[0]!.name)
    const connection =
      folder === '' ? undefined : { id: connectionId('markdown', folder), name: `Notes: ${folder.normalize('NFC')}` }
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration, connection, zone, read: markdown.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const root = topFolder(inputs[0]?.name ?? '')
    const pathId = (path: string) => hash('sha256', path).slice(0, 32)
    const notes = new MarkdownNotes(
      {
        root,
        zone,
        // Two single files may have the same name and be different notes, so their content identifies them.
        idOf: (path, bytes) => (root === '' ? hash('sha256', bytes).slice(0, 32) : pathId(path)),
        targetId: (path) => (root === '' ? undefined : pathId(path)),
        isNote: isNoteName,
      },
      inputs,
      tally,
    )
    const ordered = inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1))
    const isNote = ({ name }: ImportInput) => isNoteName(name)
    for (const input of ordered.filter(isNote)) yield* failuresAsProblems(notes.read(input), input)
    yield* notes.unused(ordered.filter((input) => !isNote(input)))
  },
}
