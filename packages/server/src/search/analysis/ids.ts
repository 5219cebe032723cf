// The numbers inside an id are not words. "3f2a91c0-4711-4abc-9def-0123456789ab" has nothing to do with 4711, so it is
// one term. Everything that people type in parts stays in parts: "INV-2041", "2026-05-14", "WH-1000XM5", "v2.1".
import { LETTERS, TERM_UNITS } from './ascii.ts'

/** 1 for the characters that may join the pieces of an id: `-` and `_`, and `=` in the address of a page. */
export const JOINTS = new Uint8Array(128)
for (const joint of '-_=') JOINTS[joint.charCodeAt(0)] = 1

const UUID = /^(?=.*\d)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const UUID_UNITS = 36
const FIRST_OF_UUID = 8
/** Units within which an id looks for its further pieces, so that a text of such pieces is read only a few times. */
const MAX_UNITS = 96
/** A piece is a part of an id, and not a word, if letters and digits change at least this often in it. */
const MIN_CHANGES = 4
const MIN_UNITS = 12
const MIN_HEX_UNITS = 8
/** A longer number in the address of a page is likely to be the number of an order, which somebody may look for. */
const MAX_PARAMETER_DIGITS = 5
const MAX_NAME_UNITS = 40
const [HYPHEN, EQUALS, QUESTION, AND] = [45, 61, 63, 38]

/**
 * Returns the end of the id that begins with the piece from `start` to `end`, or 0 if none does. Call for every run of
 * ASCII letters and digits that a joint follows. An id is one of these:
 *
 * - A UUID.
 * - Pieces with digits, joined by `-` or `_`, if letters and digits change often in one of them: `msg_31-8f14e45fceea`.
 *   Pieces without digits are words ("msg"), except short ones of hexadecimal letters in the middle.
 * - A parameter of a page with a small number: `?page=31`.
 */
export function idEnd(text: string, start: number, end: number): number {
  if (letterAt(text, end + 1) === 0) return 0
  if (text.charCodeAt(end) === EQUALS) return parameterEnd(text, start, end)
  return uuidEnd(text, start, end) || joinedEnd(text, start, end)
}

/** The term of an id. It has no joints, because people and programs also write a UUID without them. */
export const idTerm = (text: string, start: number, end: number): string =>
  text.slice(start, end).replace(/[-_=]/g, '').toLowerCase().slice(0, TERM_UNITS)

/** Calls back for every id in a text of any script. It looks for joints, because most texts have few of them. */
export function eachId(text: string, found: (start: number, end: number) => void): void {
  let [hyphen, line, equals] = [placeOf(text, '-', 0), placeOf(text, '_', 0), placeOf(text, '=', 0)]
  for (let from = 0; ; ) {
    const at = Math.min(hyphen, line, equals)
    if (at === text.length) return
    if (at === hyphen) hyphen = placeOf(text, '-', at + 1)
    else if (at === line) line = placeOf(text, '_', at + 1)
    else equals = placeOf(text, '=', at + 1)
    let start = at
    while (start > from && letterAt(text, start - 1) !== 0) start--
    const end = start < at ? idEnd(text, start, at) : 0
    if (end === 0) continue
    found(start, end)
    from = end
  }
}

/** The place of the next joint, or the end of the text. */
function placeOf(text: string, joint: string, from: number): number {
  const place = text.indexOf(joint, from)
  return place < 0 ? text.length : place
}

function uuidEnd(text: string, start: number, end: number): number {
  if (end - start !== FIRST_OF_UUID || text.charCodeAt(end) !== HYPHEN) return 0
  const last = start + UUID_UNITS
  return letterAt(text, last) === 0 && UUID.test(text.slice(start, last)) ? last : 0
}

function joinedEnd(text: string, start: number, end: number): number {
  if (!hasDigit(text, start, end)) return 0
  const first = pieceIn(text, start, end)
  let [isId, last, at] = [first.isOfId, end, end]
  while (isJoined(text, at) && at - start < MAX_UNITS) {
    const from = at + 1
    at = pieceEnd(text, from)
    const piece = pieceIn(text, from, at)
    if (uuidEnd(text, from, at) > 0 || !(piece.hasDigit || piece.isHex)) break
    if (piece.hasDigit) last = at
    isId ||= piece.isOfId
  }
  return isId && last > end ? last : 0
}

function parameterEnd(text: string, start: number, end: number): number {
  let last = end + 1
  while (isDigitAt(text, last)) last++
  const digits = last - end - 1
  if (digits === 0 || digits > MAX_PARAMETER_DIGITS || letterAt(text, last) !== 0) return 0
  // "date=2026-05-14" and "total=12.50" are more than small numbers.
  if (/[-_.,:]/.test(text.charAt(last)) && letterAt(text, last + 1) !== 0) return 0
  let before = start - 1
  while (start - before < MAX_NAME_UNITS && /[\w.-]/.test(text.charAt(before))) before--
  const code = text.charCodeAt(before)
  return code === QUESTION || code === AND ? last : 0
}

interface Piece {
  readonly hasDigit: boolean
  readonly isHex: boolean
  readonly isOfId: boolean
}

function pieceIn(text: string, from: number, to: number): Piece {
  let [digits, isHex, changes] = [0, true, 0]
  for (let at = from; at < to; at++) {
    const isDigit = isDigitAt(text, at)
    if (isDigit) digits++
    isHex &&= isDigit || letterAt(text, at) <= 102
    if (at > from && isDigit !== isDigitAt(text, at - 1)) changes++
  }
  const isOfId = changes >= MIN_CHANGES && to - from >= (isHex ? MIN_HEX_UNITS : MIN_UNITS)
  return { hasDigit: digits > 0, isHex, isOfId }
}

const isJoined = (text: string, at: number): boolean =>
  JOINTS[text.charCodeAt(at)] === 1 && text.charCodeAt(at) !== EQUALS && letterAt(text, at + 1) !== 0

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function hasDigit(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isDigitAt(text, at)) return true
  return false
}

/** The lower-case code of a letter or digit. 0 for everything else and beyond the text. */
const letterAt = (text: string, at: number): number => LETTERS[text.charCodeAt(at)] ?? 0

function pieceEnd(text: string, from: number): number {
  let end = from
  while (letterAt(text, end) !== 0) end++
  return end
}
