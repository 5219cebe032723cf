import type { DatabaseRow } from '../../reading/database-rows.ts'
import { readTime } from '../../reading/times.ts'

/** Columns to read. Older versions lack some of them, which are then empty. */
export const COLUMNS = {
  message:
    'ROWID guid text attributedBody handle_id service date date_edited date_retracted is_from_me item_type group_title group_action_type other_handle associated_message_guid associated_message_type associated_message_emoji balloon_bundle_id payload_data message_summary_info thread_originator_guid is_audio_message subject'.split(
      ' ',
    ),
  chat: 'ROWID guid style chat_identifier service_name room_name display_name'.split(' '),
  attachment: 'ROWID guid filename transfer_name mime_type total_bytes is_sticker'.split(' '),
  handle: 'ROWID id'.split(' '),
}

/** Seconds since 2001, or nanoseconds in versions since 2017. */
export function appleTime(value: DatabaseRow[string] | undefined): string | undefined {
  if (typeof value !== 'bigint' || value === 0n) return
  if (value < 100_000_000_000n) return readTime('mac', String(value))?.text
  const [seconds, rest] = [value / 1_000_000_000n, value % 1_000_000_000n]
  return readTime('mac', rest === 0n ? String(seconds) : `${seconds}.${String(rest).padStart(9, '0')}`)?.text
}
