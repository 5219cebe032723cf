import type { Person, Reaction } from '../../models/conversation/records.ts'
import { type DatabaseRow, integerCell, textCell } from '../../reading/database-rows.ts'
import { appleTime } from './rows.ts'

/** A reaction is a separate message with one of these numbers. The number plus 1,000 removes the reaction. */
const EMOJI: Readonly<Record<number, string>> = {
  2000: '❤️',
  2001: '👍',
  2002: '👎',
  2003: '😂',
  2004: '‼️',
  2005: '❓',
  2007: 'sticker',
}
const [FIRST, LAST, TAKEN_BACK] = [2000, 3999, 1000]

export function isTapback(row: DatabaseRow): boolean {
  const type = integerCell(row['associated_message_type'])
  return type >= FIRST && type <= LAST
}

/** `p:0/guid` means the first part of a message, and `bp:guid` means a balloon. */
const targetOf = (row: DatabaseRow): string =>
  (textCell(row['associated_message_guid']) ?? '').replace(/^(?:p:\d+\/|bp:)/, '')

/** The reactions in one chat, by message. */
export class ChatTapbacks {
  readonly #byTarget = new Map<string, Map<string, Reaction>>()
  removed = 0

  constructor(rows: Iterable<DatabaseRow>, authorOf: (row: DatabaseRow) => Person | undefined) {
    for (const row of rows) if (isTapback(row)) this.#add(row, authorOf(row))
  }

  /** Returns and removes the reactions to a message. */
  of(guid: string): Reaction[] {
    const found = this.#byTarget.get(guid)
    this.#byTarget.delete(guid)
    return [...(found?.values() ?? [])]
  }

  /** Number of reactions whose message was never found. */
  get unmatched(): number {
    return [...this.#byTarget.values()].reduce((sum, { size }) => sum + size, 0)
  }

  #add(row: DatabaseRow, author: Person | undefined): void {
    const type = integerCell(row['associated_message_type'])
    const added = type >= FIRST + TAKEN_BACK ? type - TAKEN_BACK : type
    const emoji = EMOJI[added] ?? textCell(row['associated_message_emoji']) ?? 'reaction'
    const reactions = this.#byTarget.get(targetOf(row)) ?? new Map<string, Reaction>()
    this.#byTarget.set(targetOf(row), reactions)
    const key = `${author?.id} ${emoji}`
    if (added !== type) {
      this.removed += reactions.delete(key) ? 2 : 1
      return
    }
    if (reactions.has(key)) this.removed++
    reactions.set(key, { emoji, author: author?.name ?? author?.handle, at: appleTime(row['date']) })
  }
}
