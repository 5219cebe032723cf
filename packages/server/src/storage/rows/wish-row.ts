import type { LackingAccess } from '@pdpp/protocol'
import type { StoredWish, WishState } from '../../grants/wishes/wish-store.ts'
import { storedJson } from '../../lib/stored-json.ts'

export interface WishRow {
  wish_id: string
  client_id: string
  access_id: string
  lacks: string | null
  times: number
  first_at: number
  last_at: number
  state: WishState
  decided_at: number | null
}

export const WISH_COLUMNS = 'wish_id, client_id, access_id, lacks, times, first_at, last_at, state, decided_at'

export function wishFromRow(row: WishRow): StoredWish {
  return {
    wishId: row.wish_id,
    clientId: row.client_id,
    accessId: row.access_id,
    lacks: row.lacks === null ? undefined : storedJson<LackingAccess>(row.lacks),
    times: row.times,
    firstAt: row.first_at,
    lastAt: row.last_at,
    state: row.state,
    decidedAt: row.decided_at ?? undefined,
  }
}
