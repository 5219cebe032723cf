import type { ImportInput, InputPosition } from '../../importer.ts'
import { numberedLines } from '../../reading/numbered-lines.ts'

/** A parsed line of a card. Its value is as written in the file. */
export interface CardLine {
  /** In capitals, without its group. */
  readonly name: string
  /** `item1` of `item1.X-ABLabel`: lines with the same group belong together. */
  readonly group: string | undefined
  readonly parameters: ReadonlyMap<string, readonly string[]>
  readonly value: string
}

export type CardItem =
  | { readonly lines: readonly CardLine[]; readonly text: string; readonly place: InputPosition }
  | { readonly fault: string; readonly place: InputPosition }

interface OpenCard {
  lines: string[]
  chars: number
  readonly line: number
}

/** Max. characters of a card, photos included, and max. cards inside each other. */
const MAX_CARD_CHARS = 24_000_000
const MAX_DEPTH = 5

/** The cards of a file. A card inside another one, such as an assistant's, is returned separately. */
export async function* cardsOf(input: ImportInput): AsyncIterable<CardItem> {
  const open: OpenCard[] = []
  for await (const { text, line } of numberedLines(input, MAX_CARD_CHARS)) {
    const place = { input: input.name, line: open.at(-1)?.line ?? line }
    if (/^\s*BEGIN\s*:\s*VCARD\s*$/i.test(text) && open.length < MAX_DEPTH) open.push({ lines: [], chars: 0, line })
    else if (/^\s*END\s*:\s*VCARD\s*$/i.test(text)) {
      const card = open.pop()
      if (card && card.chars > MAX_CARD_CHARS) yield { fault: `is longer than ${MAX_CARD_CHARS} characters`, place }
      else if (card) yield { lines: taken(card.lines), text: card.lines.join('\n'), place }
    } else {
      const card = open.at(-1)
      if (card) card.chars += text.length + 1
      if (card && card.chars <= MAX_CARD_CHARS) card.lines.push(text)
    }
  }
  for (const { line } of open) yield { fault: 'is cut off', place: { input: input.name, line } }
}

function taken(lines: readonly string[]): CardLine[] {
  const isOld = lines.some((line) => /^VERSION:\s*2/i.test(line))
  return joined(lines, isOld).flatMap((line) => parsed(line) ?? [])
}

const QUOTED = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i
const BASE64 = /^[^:]*;(?:ENCODING=)?(?:B|BASE64)[;:]/i

/** Joins continued lines, in all three notations. */
function joined(lines: readonly string[], isOld: boolean): string[] {
  const out: string[] = []
  for (const line of lines) {
    const before = out.at(-1) ?? ''
    if (before.endsWith('=') && QUOTED.test(before))
      out[out.length - 1] = before.slice(0, -1) + line.replace(/^[ \t]/, '')
    else if (/^[ \t]/.test(line) && out.length > 0)
      // Version 2.1 keeps the space, later versions remove it.
      out[out.length - 1] = before + (isOld && !BASE64.test(before) ? line : line.slice(1))
    else if (BASE64.test(before) && /^[A-Za-z0-9+/]+=*$/.test(line)) out[out.length - 1] = before + line
    else if (line.trim() !== '') out.push(line)
  }
  return out
}

function parsed(line: string): CardLine | undefined {
  const head = /^\s*(?:([A-Za-z0-9_-]+)\.)?([A-Za-z0-9_-]+)((?:\s*;(?:[^":;]|"[^"]*")*)*)\s*:/.exec(line)
  if (!head) return
  const parameters = new Map<string, string[]>()
  for (const part of head[3]!.match(/(?:[^";]|"[^"]*")+/g) ?? []) {
    const [, key, given] = /^\s*([A-Za-z0-9-]+)\s*=(.*)$/s.exec(part) ?? [undefined, bareKey(part), part]
    const values = given!.match(/"[^"]*"|[^",]+/g)?.map((each) => each.replace(/^"(.*)"$/, '$1').trim()) ?? []
    const name = key!.toUpperCase()
    parameters.set(name, [...(parameters.get(name) ?? []), ...values])
  }
  return { group: head[1], name: head[2]!.toUpperCase(), parameters, value: line.slice(head[0].length) }
}

/** Version 2.1 writes `TEL;HOME;VOICE`. */
const bareKey = (part: string): string =>
  /^\s*(?:QUOTED-PRINTABLE|BASE64|8BIT|7BIT)\s*$/i.test(part) ? 'ENCODING' : 'TYPE'
