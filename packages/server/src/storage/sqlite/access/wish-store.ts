import type { CountedWish, StoredWish, WishLimits, WishState, WishStore } from '../../../grants/wishes/wish-store.ts'
import { wishIdOf } from '../../../grants/wishes/wish-thing.ts'
import { WISH_COLUMNS, type WishRow, wishFromRow } from '../../rows/wish-row.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'

const INSERT = `insert into wish (subject_id, client_id, thing, wish_id, access_id, lacks, times, first_at, last_at, state, decided_at)
  values (@subjectId, @clientId, @thing, @wishId, @accessId, @lacks, @times, @firstAt, @lastAt, @state, @decidedAt)
  on conflict (subject_id, client_id, thing) do`
const ADD = `${INSERT} update set times = times + excluded.times, last_at = max(last_at, excluded.last_at),
  access_id = excluded.access_id, lacks = excluded.lacks where state = 'open'`
const DECIDE = `${INSERT} update set state = excluded.state, decided_at = excluded.decided_at`

export class SqliteWishStore implements WishStore {
  readonly #writer: Handle
  readonly #reader: Handle

  constructor(databases: WriteDatabases) {
    // Counts change nothing that a read depends on, so listeners of writes are not called.
    this.#writer = databases.quietWriter
    this.#reader = databases.reader
  }

  async count(
    subjectId: string,
    clientId: string,
    wishes: readonly CountedWish[],
    { open, all }: WishLimits,
  ): Promise<void> {
    const known = 'select 1 from wish where subject_id = ? and client_id = ? and thing = ?'
    const kept = `select count(*) as kept, count(*) filter (where state = 'open') as waiting from wish
      where subject_id = ? and client_id = ? and thing <> ''`
    this.#writer.transaction(() => {
      for (const wish of wishes) {
        const isKept = () => {
          const counts = this.#writer.get<{ kept: number; waiting: number }>(kept, subjectId, clientId)!
          return counts.kept < all && counts.waiting < open
        }
        const single = wish.thing === '' || this.#writer.get(known, subjectId, clientId, wish.thing) || isKept()
        const counted = single ? wish : { ...wish, thing: '', lacks: undefined }
        this.#writer.run(ADD, valuesOf(subjectId, clientId, counted, 'open', undefined))
      }
    })
  }

  async find(subjectId: string, wishId: string): Promise<StoredWish | undefined> {
    const sql = `select ${WISH_COLUMNS} from wish where subject_id = ? and wish_id = ?`
    const row = this.#reader.get<WishRow>(sql, subjectId, wishId)
    return row && wishFromRow(row)
  }

  async list(
    subjectId: string,
    { limit, clientId, state }: { limit: number; clientId?: string; state?: WishState },
  ): Promise<StoredWish[]> {
    const sql = `select ${WISH_COLUMNS} from wish where subject_id = @subjectId
      and (@clientId is null or client_id = @clientId) and (@state is null or state = @state)
      order by last_at desc, wish_id limit @limit`
    return this.#reader
      .all<WishRow>(sql, { subjectId, clientId: clientId ?? null, state: state ?? null, limit })
      .map(wishFromRow)
  }

  async decide(
    subjectId: string,
    wish: CountedWish & { readonly clientId: string },
    state: 'denied' | 'silenced',
    at: number,
  ): Promise<void> {
    this.#writer.run(DECIDE, valuesOf(subjectId, wish.clientId, wish, state, at))
  }

  async remove(subjectId: string, wishId: string): Promise<boolean> {
    return this.#writer.run('delete from wish where subject_id = ? and wish_id = ?', subjectId, wishId) === 1
  }
}

function valuesOf(
  subjectId: string,
  clientId: string,
  { thing, accessId, lacks, times, firstAt, lastAt }: CountedWish,
  state: WishState,
  decidedAt: number | undefined,
) {
  return {
    ...{ subjectId, clientId, thing, wishId: wishIdOf(clientId, thing), accessId, times, firstAt, lastAt, state },
    lacks: lacks === undefined ? null : JSON.stringify(lacks),
    decidedAt: decidedAt ?? null,
  }
}
