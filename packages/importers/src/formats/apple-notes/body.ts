import { gunzipSync } from 'node:zlib'
import type { NoteLink, NoteTask } from '../../models/note/records.ts'
import { messageOf, type WireMessage } from './wire.ts'

/** Max. bytes of an unpacked note. */
const MAX_BODY_BYTES = 32_000_000
const CHECKLIST = 103
/** Placeholder in the text for a picture or a table. */
const OBJECT = /\uFFFC/g

export interface NoteBody {
  readonly text: string
  readonly links: readonly NoteLink[]
  readonly tasks: readonly NoteTask[]
}

/** A part of the text with one style. Its length is in UTF-16 units. */
interface Run {
  readonly from: number
  readonly to: number
  /** Undefined if the paragraph is not a checklist item. */
  readonly isDone?: boolean | undefined
  readonly address?: string | undefined
}

/** The text of a note, which is stored as gzipped Protocol Buffers. Throws if the data is broken. */
export function noteBody(data: Buffer): NoteBody | undefined {
  const unpacked = gunzipSync(data, { maxOutputLength: MAX_BODY_BYTES })
  const note = messageOf(unpacked).message(2)?.message(3)
  const text = note?.text(2)
  if (note === undefined || text === undefined) return
  const runs = runsOf(note)
  return { text: text.replace(OBJECT, '').trim(), links: linksOf(text, runs), tasks: tasksOf(text, runs) }
}

function runsOf(note: WireMessage): Run[] {
  let from = 0
  return note.messages(5).map((run) => {
    const to = from + (run.number(1) ?? 0)
    const paragraph = run.message(2)
    const isItem = paragraph?.number(1) === CHECKLIST
    const found = {
      from,
      to,
      isDone: isItem ? paragraph?.message(5)?.number(2) === 1 : undefined,
      address: run.text(9),
    }
    from = to
    return found
  })
}

const linksOf = (text: string, runs: readonly Run[]): NoteLink[] =>
  runs.flatMap(({ from, to, address }) =>
    address === undefined || address === '' ? [] : [{ kind: 'web', target: address, label: text.slice(from, to) }],
  )

/** A checklist item is one line. It has several runs if, for example, one word is bold. */
function tasksOf(text: string, runs: readonly Run[]): NoteTask[] {
  const tasks: NoteTask[] = []
  let [from, run] = [0, 0]
  for (const line of text.split('\n')) {
    while (run < runs.length && runs[run]!.to <= from) run++
    const { isDone, from: start } = runs[run] ?? { from: Number.POSITIVE_INFINITY }
    if (isDone !== undefined && start <= from && line.trim() !== '') tasks.push({ text: line.trim(), isDone })
    from += line.length + 1
  }
  return tasks
}
