import type { ImportedBlob, ImportItem, InputPosition } from '../../importer.ts'
import { blobReference } from '../../reading/blob.ts'
import { StableIds } from '../../reading/stable-ids.ts'

/** Max. characters of a note. The rest is not imported, and a problem is reported. */
const MAX_NOTE_CHARS = 1_000_000
const MAX_TITLE_CHARS = 500

export interface NoteLink {
  readonly kind: 'note' | 'file' | 'web'
  readonly target: string
  readonly targetId?: string | undefined
  readonly label?: string | undefined
}

export interface NoteTask {
  readonly text: string
  readonly isDone: boolean
  readonly dueAt?: string | undefined
}

/** A file of a note. Without a blob, the export names the file but does not contain it. */
export interface NoteFile {
  readonly name: string
  /** Distinguishes the files of one note, if two have the same name. */
  readonly key?: string | undefined
  readonly mediaType?: string | undefined
  readonly blob?: ImportedBlob | undefined
  readonly text?: string | undefined
}

export interface Note {
  readonly id: string
  readonly title?: string | undefined
  readonly text?: string | undefined
  readonly folder?: string | undefined
  readonly path?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly aliases?: readonly string[] | undefined
  readonly author?: string | undefined
  /** The day that the note is about, if that is not the day of its creation. */
  readonly notedAt?: string | undefined
  readonly createdAt?: string | undefined
  readonly updatedAt?: string | undefined
  readonly url?: string | undefined
  readonly place?: string | undefined
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly isPinned?: boolean | undefined
  readonly isArchived?: boolean | undefined
  readonly isDeleted?: boolean | undefined
  readonly isLocked?: boolean | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly links?: readonly NoteLink[] | undefined
  readonly tasks?: readonly NoteTask[] | undefined
  /** Number of files that `fileItem` returns later. */
  readonly fileCount?: number | undefined
}

const timeOf = (note: Note): string | null => note.notedAt ?? note.createdAt ?? note.updatedAt ?? null

/** The records of a note, its links and its tasks. Its files follow one by one with `fileItem`. */
export function* noteItems(note: Note, place: InputPosition): Iterable<ImportItem> {
  const length = note.text?.length ?? 0
  yield { record: { stream: 'notes', key: note.id, data: noteData(note), place } }
  if (length > MAX_NOTE_CHARS)
    yield {
      problem: { place, reason: `has ${length} characters; the first ${MAX_NOTE_CHARS} are imported`, kept: true },
    }
  // The text makes the id, so that a new link or task does not change the ids of those after it.
  const ids = new StableIds()
  for (const { kind, target, targetId, label } of note.links ?? []) {
    const key = `${note.id}/link/${ids.idOf('link', kind, target, label)}`
    const data = {
      id: key,
      note_id: note.id,
      target_id: targetId ?? null,
      target: tidy(target),
      label: tidy(label),
      kind,
      noted_at: timeOf(note),
    }
    yield { record: { stream: 'links', key, data, place } }
  }
  for (const task of note.tasks ?? []) {
    const key = `${note.id}/task/${ids.idOf('task', task.text)}`
    const data = {
      id: key,
      note_id: note.id,
      note: tidy(note.title),
      text: tidy(task.text),
      is_done: task.isDone,
      due_at: task.dueAt ?? null,
      noted_at: timeOf(note),
    }
    yield { record: { stream: 'tasks', key, data, place } }
  }
}

function noteData(note: Note): Record<string, unknown> {
  const properties = note.properties && Object.keys(note.properties).length > 0 ? note.properties : null
  return {
    id: note.id,
    title: tidy(note.title?.slice(0, MAX_TITLE_CHARS)),
    text: note.text?.slice(0, MAX_NOTE_CHARS).replaceAll('\u0000', '').toWellFormed() || null,
    folder: note.folder || null,
    path: note.path ?? null,
    tags: note.tags ?? [],
    aliases: note.aliases ?? [],
    author: note.author || null,
    noted_at: timeOf(note),
    created_at: note.createdAt ?? null,
    updated_at: note.updatedAt ?? null,
    url: note.url || null,
    place: note.place || null,
    latitude: note.latitude ?? null,
    longitude: note.longitude ?? null,
    is_pinned: note.isPinned ?? false,
    is_archived: note.isArchived ?? false,
    is_deleted: note.isDeleted ?? false,
    is_locked: note.isLocked ?? false,
    properties,
    attachment_count: note.fileCount ?? 0,
  }
}

/** The record of a file. `note` is undefined for a file that no note refers to. */
export function fileItem(note: Note | undefined, file: NoteFile, place: InputPosition): ImportItem {
  const { blob } = file
  const key = `${note?.id ?? 'file'}/${file.key ?? file.name}`
  const data = {
    id: key,
    note_id: note?.id ?? null,
    filename: tidy(file.name),
    media_type: blob?.mimeType ?? file.mediaType ?? null,
    size_bytes: blob?.sizeBytes ?? null,
    sha256: blob?.sha256 ?? null,
    is_missing: blob === undefined,
    noted_at: note ? timeOf(note) : null,
    extracted_text: file.text ?? null,
    blob_ref: blob ? blobReference(blob) : null,
  }
  return { record: { stream: 'attachments', key, data, place, ...(blob && { blobs: [blob] }) } }
}

const tidy = (text: string | undefined): string | null => {
  const short = text?.replaceAll('\u0000', '').replace(/\s+/g, ' ').trim().toWellFormed()
  return short === undefined || short === '' ? null : short
}
