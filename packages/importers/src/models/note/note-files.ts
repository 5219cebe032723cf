import type { ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { fileBlob } from '../../reading/file-blob.ts'
import { fileItem, type Note } from './records.ts'

/** A file that a note names. `input` is undefined if the export does not have it. */
export interface NamedFile {
  readonly name: string
  readonly key?: string | undefined
  readonly mediaType?: string | undefined
  readonly input?: ImportInput | undefined
}

/** The records of the files of one note. */
export async function* namedFiles(
  note: Note,
  files: readonly NamedFile[],
  from: ImportInput,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  for (const { name, key, mediaType, input } of files) {
    tally.saw('attachments')
    const place = { input: input?.name ?? from.name }
    if (!input) {
      yield fileItem(note, { name, key, mediaType }, place)
      continue
    }
    const read = await fileBlob(input, mediaType === undefined ? {} : { mediaType })
    if ('tooLarge' in read)
      yield { problem: { place, reason: `has ${read.tooLarge} bytes, too many`, kind: 'attachments', kept: false } }
    else yield fileItem(note, { name, key, blob: read.blob, text: read.text?.text }, place)
  }
}
