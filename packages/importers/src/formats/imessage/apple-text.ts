import { parseBuffer } from 'bplist-parser'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'

/**
 * The class of a text in an archive in Apple's `typedstream` format, and the byte that marks the start of its length.
 */
const CLASS = Buffer.from('NSString')
const MARK = Buffer.from([0x84, 0x01, 0x2b])
const END = Buffer.from([0x86, 0x84])
const [TWO_BYTES, FOUR_BYTES] = [0x81, 0x82]

/** The text of an `attributedBody`. Undefined if it contains no readable text. */
export function bodyText(archive: Uint8Array | null | undefined): string | undefined {
  if (!archive) return
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const named = bytes.indexOf(CLASS)
  const mark = named === -1 ? -1 : bytes.indexOf(MARK, named)
  // The mark comes after the class, its version and a reference.
  if (mark === -1 || mark > named + CLASS.length + 8) return
  const at = mark + MARK.length
  const { length, start } = lengthAt(bytes, at)
  if (length === undefined) return
  // A length that is too large is wrong. Then the end mark shows where the text ends.
  const end = start + length <= bytes.length ? start + length : bytes.indexOf(END, start)
  return end === -1 ? undefined : bytes.toString('utf8', start, end)
}

function lengthAt(bytes: Buffer, at: number): { length?: number; start: number } {
  const first = bytes[at] ?? TWO_BYTES
  if (first < 0x80) return { length: first, start: at + 1 }
  if (first === TWO_BYTES && at + 3 <= bytes.length) return { length: bytes.readUInt16LE(at + 1), start: at + 3 }
  if (first === FOUR_BYTES && at + 5 <= bytes.length) return { length: bytes.readUInt32LE(at + 1), start: at + 5 }
  return { start: at }
}

/** The text as people saw it, without the placeholder characters for attached files. */
export function shownText(text: string | null | undefined): string | undefined {
  const shown = text
    ?.replace(/[\ufffc\ufffd]/g, '')
    .trim()
    .toWellFormed()
  return shown === '' ? undefined : shown
}

export interface Summary {
  readonly edits: readonly { readonly at?: string | undefined; readonly text?: string | undefined }[]
  readonly lastText?: string | undefined
  readonly isRetracted: boolean
}

/** Reads `message_summary_info`: the earlier texts of an edited message, and the parts that its author unsent. */
export function readSummary(plist: Uint8Array | null | undefined): Summary {
  const info = plistOf(plist)
  const parts = Object.entries(objectOf(info['ec'])).toSorted(([a], [b]) => Number(a) - Number(b))
  const versions = parts.flatMap(([, list]) => {
    const all = listOf(list).map(objectOf).map(versionOf)
    return all.map((version, at) => ({ version, isLast: at === all.length - 1 }))
  })
  const last = versions.filter(({ isLast }) => isLast).map(({ version }) => version.text)
  return {
    edits: versions.filter(({ isLast }) => !isLast).map(({ version }) => version),
    lastText: last.filter((text) => text !== undefined).join('\n') || undefined,
    isRetracted: listOf(info['rp']).length > 0,
  }
}

function versionOf({ t: archive, d: seconds }: JsonObject): { at?: string | undefined; text?: string | undefined } {
  const at = typeof seconds === 'number' ? readTime('mac', seconds.toFixed(6))?.text : undefined
  return { at, text: archive instanceof Uint8Array ? shownText(bodyText(archive)) : undefined }
}

/**
 * The text of a balloon, such as a link with its title, a game, or a shared place. It is an archive of numbered
 * objects.
 */
export function balloonOf(plist: Uint8Array | null | undefined): {
  text?: string | undefined
  link?: string | undefined
} {
  const archive = plistOf(plist)
  const objects = listOf(archive['$objects'])
  const at = (reference: unknown) => {
    const number = objectOf(reference)['UID']
    return typeof number === 'number' ? objects[number] : reference
  }
  const root = membersOf(objectOf(at(objectOf(archive['$top'])['root'])), at)
  const link = objectOf(at(root['richLinkMetadata']))
  const caption = membersOf(objectOf(at(root['userInfo'])), at)
  const words = [link['title'], root['ldtext'], caption['caption'], caption['subcaption']].map((each) =>
    textOf(at(each)),
  )
  const address = textOf(at(objectOf(at(link['URL']))['NS.relative']))
  return { text: words.find((each) => each !== undefined), link: address }
}

/** A dictionary is archived as a list of names and a list of values. */
function membersOf(value: JsonObject, at: (reference: unknown) => unknown): JsonObject {
  const names = listOf(value['NS.keys'])
  if (names.length === 0) return value
  const values = listOf(value['NS.objects'])
  return Object.fromEntries(names.map((name, number) => [String(at(name)), values[number]]))
}

function plistOf(plist: Uint8Array | null | undefined): JsonObject {
  if (!plist || plist.length < 8) return {}
  try {
    return objectOf(parseBuffer(Buffer.from(plist))[0])
  } catch {
    return {}
  }
}
