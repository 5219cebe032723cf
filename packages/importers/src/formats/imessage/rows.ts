import type { ReadDatabase } from '../../reading/database.ts'
import { readTime } from '../../reading/times.ts'

export type Row = Readonly<Record<string, string | bigint | Uint8Array | null>>

/** Columns that are read. Older versions lack some of them, which are then empty. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  message:
    'ROWID guid text attributedBody handle_id service date date_edited date_retracted is_from_me item_type group_title group_action_type other_handle associated_message_guid associated_message_type associated_message_emoji balloon_bundle_id payload_data message_summary_info thread_originator_guid is_audio_message subject'.split(
      ' ',
    ),
  chat: 'ROWID guid style chat_identifier service_name room_name display_name'.split(' '),
  attachment: 'ROWID guid filename transfer_name mime_type total_bytes is_sticker'.split(' '),
  handle: 'ROWID id'.split(' '),
}

/** The list of columns for a SELECT, with NULL for those that this database lacks. */
export function columnsOf(database: ReadDatabase, table: string): string {
  const names = new Set((database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name))
  return COLUMNS[table]!.map((name) =>
    name === 'ROWID' || names.has(name) ? `${table}.${name} AS ${name}` : `NULL AS ${name}`,
  ).join(', ')
}

export const tablesOf = (database: ReadDatabase): Set<string> =>
  new Set(
    (database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all() as { name: string }[]).map(
      ({ name }) => name,
    ),
  )

export const text = (value: Row[string] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const number = (value: Row[string] | undefined): number => (typeof value === 'bigint' ? Number(value) : 0)

export const bytes = (value: Row[string] | undefined): Uint8Array | undefined =>
  value instanceof Uint8Array ? value : undefined

/** Seconds since 2001, or nanoseconds since the system of 2017. */
export function appleTime(value: Row[string] | undefined): string | undefined {
  if (typeof value !== 'bigint' || value === 0n) return
  if (value < 100_000_000_000n) return readTime('mac', String(value))?.text
  const [seconds, rest] = [value / 1_000_000_000n, value % 1_000_000_000n]
  return readTime('mac', rest === 0n ? String(seconds) : `${seconds}.${String(rest).padStart(9, '0')}`)?.text
}
