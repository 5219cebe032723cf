import { hash } from 'node:crypto'
import type { Note, NoteTask } from '../../models/note/records.ts'
import { epochTime } from '../../models/note/times.ts'
import { idText } from '../../reading/json/json-stream.ts'

type Json = Readonly<Record<string, unknown>>

export interface KeepNote {
  readonly note: Note
  readonly files: readonly { readonly path: string; readonly mediaType?: string | undefined }[]
  readonly problem?: string | undefined
}

/** Reads one note of Google Keep. `stem` is its file name, which identifies a note without times. */
export function keepNote(data: Json, stem: string): KeepNote {
  const [created, edited] = [idText(data['createdTimestampUsec']), idText(data['userEditedTimestampUsec'])]
  const items = objects(data['listContent'])
  const files = objects(data['attachments']).flatMap((file) =>
    typeof file['filePath'] === 'string' ? [{ path: file['filePath'], mediaType: textOf(file['mimetype']) }] : [],
  )
  const note: Note = {
    id: created ?? hash('sha256', stem).slice(0, 32),
    title: textOf(data['title']) ?? firstLine(data, items),
    text: [textOf(data['textContent']), listText(items)].filter((text) => text !== undefined).join('\n\n'),
    tags: objects(data['labels']).flatMap(({ name }) => (typeof name === 'string' ? [name] : [])),
    createdAt: epochTime('epoch-us', created),
    updatedAt: epochTime('epoch-us', edited),
    isPinned: data['isPinned'] === true,
    isArchived: data['isArchived'] === true,
    isDeleted: data['isTrashed'] === true,
    links: objects(data['annotations']).flatMap((link) =>
      typeof link['url'] === 'string'
        ? [{ kind: 'web', target: link['url'], label: textOf(link['title']) } as const]
        : [],
    ),
    tasks: items.map(taskOf),
    properties: propertiesOf(data),
    fileCount: files.length,
  }
  const problem = edited === undefined ? 'has no time of its last change, as notes of Google Keep have' : undefined
  return { note, files, problem }
}

const objects = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : []

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

const taskOf = (item: Json): NoteTask => ({ text: textOf(item['text']) ?? '', isDone: item['isChecked'] === true })

const listText = (items: readonly Json[]): string | undefined =>
  items.length === 0 ? undefined : items.map((item) => `- ${textOf(item['text']) ?? ''}`).join('\n')

const firstLine = (data: Json, items: readonly Json[]): string | undefined =>
  (textOf(data['textContent']) ?? textOf(items[0]?.['text']))?.trim().split('\n', 1)[0]?.slice(0, 100)

function propertiesOf(data: Json): Json {
  const sharees = objects(data['sharees']).flatMap(({ email }) => (typeof email === 'string' ? [email] : []))
  const color = textOf(data['color'])
  return {
    ...(color !== undefined && color !== 'DEFAULT' && { color }),
    ...(sharees.length > 0 && { shared_with: sharees }),
  }
}
