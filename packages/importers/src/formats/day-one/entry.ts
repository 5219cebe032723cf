import { rawNumber } from '@pdpp/protocol'
import type { Note, NoteLink } from '../../models/note/records.ts'
import { noteTime } from '../../models/note/times.ts'
import { readMarkdownBody } from '../../text/markdown.ts'

type Json = Readonly<Record<string, unknown>>

export interface DayOneEntry {
  readonly note: Note
  /** Paths where the export may have the file, the most likely first. */
  readonly files: readonly { readonly name: string; readonly paths: readonly string[] }[]
  readonly problem?: string | undefined
}

/** The folder of each kind of file. */
const MEDIA: Readonly<Record<string, string>> = {
  photos: 'photos',
  videos: 'videos',
  audios: 'audios',
  pdfAttachments: 'pdfs',
}
/** Day One writes a backslash before characters that Markdown would interpret. */
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!/~|>&:"'])/g
const MOMENT = /!\[[^\]\n]{0,200}\]\(dayone-moment:[^)\n]{1,200}\)/g

/** Reads an entry of a journal. Undefined if it has no id. */
export function dayOneEntry(data: Json, journal: string): DayOneEntry | undefined {
  const id = textOf(data['uuid'])
  if (id === undefined) return
  const written = textOf(data['text']) ?? richText(data['richText'])
  const text = written?.replace(MOMENT, '').replace(ESCAPED, '$1').trim()
  const markdown = readMarkdownBody(written ?? '')
  const location = objectOf(data['location'])
  const files = Object.entries(MEDIA).flatMap(([kind, folder]) => mediaOf(data[kind], folder))
  const note: Note = {
    id,
    title: titleOf(text),
    text,
    folder: journal,
    tags: Array.isArray(data['tags']) ? data['tags'].filter((tag): tag is string => typeof tag === 'string') : [],
    createdAt: noteTime(data['creationDate']),
    updatedAt: noteTime(data['modifiedDate']),
    place: placeOf(location),
    latitude: degrees(location['latitude'], 90),
    longitude: degrees(location['longitude'], 180),
    isPinned: data['starred'] === true || data['isPinned'] === true,
    links: markdown.links.filter(({ target }) => !target.startsWith('dayone-moment:')).map(linkOf),
    tasks: markdown.tasks,
    properties: propertiesOf(data),
    fileCount: files.length,
  }
  return { note, files, problem: text === undefined || (text === '' && files.length === 0) ? 'has no text' : undefined }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** Newer versions also write the text as a JSON string. */
function richText(value: unknown): string | undefined {
  if (typeof value !== 'string') return
  try {
    const { contents } = objectOf(JSON.parse(value))
    return textOf(
      (Array.isArray(contents) ? contents : []).map((part) => textOf(objectOf(part)['text']) ?? '').join(''),
    )
  } catch {
    return
  }
}

const titleOf = (text: string | undefined): string | undefined =>
  text
    ?.split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/^#+\s*/, '')
    .slice(0, 120)

/** `dayone://view?entryId=…` leads to another entry. */
function linkOf(link: { target: string; label?: string | undefined }): NoteLink {
  const targetId = /^dayone2?:\/\/.*entryId=([0-9A-F]{32})/i.exec(link.target)?.[1]
  const { target, label } = link
  return targetId === undefined ? { kind: 'web', target, label } : { kind: 'note', target, label, targetId }
}

function mediaOf(list: unknown, folder: string): { name: string; paths: string[] }[] {
  return (Array.isArray(list) ? list : []).map(objectOf).flatMap((file) => {
    const [md5, type, identifier] = [
      textOf(file['md5']),
      textOf(file['type']) ?? textOf(file['format']),
      textOf(file['identifier']),
    ]
    if (md5 === undefined && identifier === undefined) return []
    const stems = [md5, identifier].filter((each) => each !== undefined)
    const ending = (type ?? (folder === 'pdfs' ? 'pdf' : folder === 'audios' ? 'm4a' : 'jpeg')).replace(
      /[^a-z0-9]/gi,
      '',
    )
    const paths = stems.flatMap((stem) => [
      `${folder}/${stem}.${ending}`,
      `${folder}/${stem}.${ending.replace('jpeg', 'jpg')}`,
    ])
    return [{ name: `${stems[0]}.${ending}`, paths }]
  })
}

const placeOf = (location: Json): string =>
  [
    ...new Set(
      ['placeName', 'localityName', 'administrativeArea', 'country'].flatMap((name) => textOf(location[name]) ?? []),
    ),
  ].join(', ')

/** Coordinates may have more digits than a double holds. */
function degrees(value: unknown, max: number): number | undefined {
  const number = typeof value === 'number' ? value : Number(rawNumber(value) ?? Number.NaN)
  return Math.abs(number) <= max ? number : undefined
}

function propertiesOf(data: Json): Json {
  const kept = ['timeZone', 'weather', 'userActivity', 'creationDevice', 'isAllDay', 'music', 'templateName']
  return Object.fromEntries(kept.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])))
}
