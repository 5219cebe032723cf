import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { contentId, FilePlaces, nameWithoutCopy } from '../../models/file-places.ts'
import { byPath } from '../../models/note/once.ts'
import { dayInName, noteTime } from '../../models/note/times.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { blobReference } from '../../reading/blob.ts'
import { fileBlob, type ReadFile } from '../../reading/file-blob.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { treePath } from '../../reading/input-tree.ts'
import type { TextSection } from '../../text/extract.ts'
import { documentDeclaration } from './declaration.ts'
import { type DocumentType, documentType, FORMATS } from './kind.ts'

const BEGINNING_CHARS = 300

/** Imports documents with their text: PDF, DOCX, ODT, EPUB, HTML. */
export const documents: Importer = {
  id: 'documents',
  name: 'Documents',
  kind: 'documents',
  reads: 'PDF, Word (DOCX), OpenDocument (ODT), EPUB and HTML files, with their text',

  async detect({ input, head: { bytes, text } }) {
    const type = documentType(bytes, text)
    return type && { format: FORMATS[type], inputs: [input], group: 'documents' }
  },

  async streams(claim, overrides, known) {
    const zone = overrides.zone ?? 'UTC'
    return [await fixedPlan({ claim, declaration: documentDeclaration, zone, read: documents.read }, overrides, known)]
  },

  async *read({ inputs, zone }, tally) {
    const seen = { ids: new Set<string>(), places: new FilePlaces('document') }
    for (const input of byPath(inputs)) yield* failuresAsProblems(itemsOf(input, zone, seen, tally), input)
  },
}

async function* itemsOf(
  input: ImportInput,
  zone: string | undefined,
  { ids, places }: { readonly ids: Set<string>; readonly places: FilePlaces },
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  const place = { input: input.name }
  const { bytes, text } = await headOf(input)
  const type = documentType(bytes, text)
  tally.saw('documents')
  const read = type && (await fileBlob(input, { mediaType: type }))
  if (!read || 'tooLarge' in read) {
    const reason = read ? `has ${read.tooLarge} bytes, too many` : 'is no longer a document'
    yield { problem: { place, reason, kind: 'documents', kept: false } }
    return
  }
  const document = documentOf(type, read, input, zone)
  const { id } = document
  yield* places.of(id, input)
  // The content identifies a document: two files with the same name are two documents, and copies are one.
  if (ids.has(id)) return tally.leftOut('documents', 'copies of a document that was imported')
  ids.add(id)
  yield { record: { stream: 'documents', key: id, data: document, place, blobs: [read.blob] } }
  if (read.textProblem !== undefined) yield { problem: { place, reason: read.textProblem, kept: true } }
  for (const section of sectionsOf(read)) {
    const key = `${id}/${section.position}`
    yield { record: { stream: 'sections', key, data: sectionData(key, section, document), place } }
  }
}

/** A document without pages or headings is one section. */
const sectionsOf = ({ text }: ReadFile): readonly TextSection[] =>
  text === undefined ? [] : (text.sections ?? [{ position: 1, text: text.text }])

const sectionData = (id: string, { position, title, text }: TextSection, document: Record<string, unknown>) => ({
  id,
  document_id: document['id'],
  document: document['title'],
  heading: title ?? null,
  position,
  text: text === '' ? null : text,
  dated_at: document['dated_at'],
})

function documentOf(
  type: DocumentType,
  { blob, text, ...read }: ReadFile,
  input: ImportInput,
  zone: string | undefined,
): Record<string, unknown> & { id: string } {
  const name = nameWithoutCopy(treePath(input.name))
  const title = meaningfulTitle(text?.title)
  const [created, modified] = [noteTime(text?.createdAt, zone), noteTime(text?.modifiedAt, zone)]
  const written = created ?? modified
  const day = written === undefined ? dayInName(name, zone) : undefined
  return {
    id: contentId(blob.sha256, title === undefined || day !== undefined ? name : undefined),
    title: title ?? name,
    author: text?.author?.slice(0, 500) ?? null,
    media_type: type,
    format: FORMATS[type],
    language: text?.language?.slice(0, 40) ?? null,
    dated_at: written ?? day ?? null,
    created_at: created ?? null,
    modified_at: modified ?? null,
    section_count: sectionsOf({ blob, text, ...read }).length,
    beginning: text?.text.slice(0, BEGINNING_CHARS).toWellFormed() ?? null,
    size_bytes: blob.sizeBytes,
    sha256: blob.sha256,
    blob_ref: blobReference(blob),
  }
}

/** Many programs write meaningless titles. Then the file name is more useful. */
const meaningfulTitle = (title: string | undefined): string | undefined =>
  title === undefined ||
  /^(untitled|document\d*|powerpoint presentation|microsoft word - .*|.{0,2})$/i.test(title.trim())
    ? undefined
    : title.replace(/\s+/g, ' ').trim().slice(0, 500)
