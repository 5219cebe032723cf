import type { CountedWish, StoredWish, WishLimits, WishState, WishStore } from '../../../grants/wishes/wish-store.ts'
import { wishIdOf } from '../../../grants/wishes/wish-thing.ts'
import { WISH_COLUMNS, type WishRow, wishFromRow } from '../../rows/wish-row.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from '../installation/owners.ts'

const INSERT = `insert into wish (subject, client_id, thing, wish_id, access_id, lacks, times, first_at, last_at, state, decided_at)
  values (@subject, @clientId, @thing, @wishId, @accessId, @lacks, @times, @firstAt, @lastAt, @state, @decidedAt)
  on conflict (subject, client_id, thing) do`
const ADD = `${INSERT} update set times = wish.times + excluded.times, last_at = greatest(wish.last_at, excluded.last_at),
  access_id = excluded.access_id, lacks = excluded.lacks where wish.state = 'open'`
const DECIDE = `${INSERT} update set state = excluded.state, decided_at = excluded.decided_at`

export class PostgresWishStore implements WishStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  async count(
    subjectId: string,
    clientId: string,
    wishes: readonly CountedWish[],
    { open, all }: WishLimits,
  ): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    const known = 'select 1 from wish where subject = ? and client_id = ? and thing = ?'
    const kept = `select count(*) as kept, count(*) filter (where state = 'open') as waiting from wish
      where subject = ? and client_id = ? and thing <> ''`
    // Counts change nothing that a read depends on, so listeners of writes are not called.
    await this.#database.quiet(async (session) => {
      for (const wish of wishes) {
        const isKept = async () => {
          const counts = await session.get<{ kept: number; waiting: number }>(kept, subject, clientId)
          return counts!.kept < all && counts!.waiting < open
        }
        const isKnown = wish.thing === '' || (await session.get(known, subject, clientId, wish.thing)) !== undefined
        const counted = isKnown || (await isKept()) ? wish : { ...wish, thing: '', lacks: undefined }
        await session.run(ADD, valuesOf(subject, clientId, counted, 'open', undefined))
      }
    })
  }

  async find(subjectId: string, wishId: string): Promise<StoredWish | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = `select ${WISH_COLUMNS} from wish where subject = ? and wish_id = ?`
    const row = await this.#database.get<WishRow>(sql, subject, wishId)
    return row && wishFromRow(row)
  }

  async list(
    subjectId: string,
    { limit, clientId, state }: { limit: number; clientId?: string | undefined; state?: WishState | undefined },
  ): Promise<StoredWish[]> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return []
    const sql = `select ${WISH_COLUMNS} from wish where subject = @subject
      and (@clientId::text is null or client_id = @clientId) and (@state::text is null or state = @state)
      order by last_at desc, wish_id limit @limit`
    return (
      await this.#database.all<WishRow>(sql, { subject, clientId: clientId ?? null, state: state ?? null, limit })
    ).map(wishFromRow)
  }

  async decide(
    subjectId: string,
    wish: CountedWish & { readonly clientId: string },
    state: 'denied' | 'silenced',
    at: number,
  ): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    await this.#database.run(DECIDE, valuesOf(subject, wish.clientId, wish, state, at))
  }

  async remove(subjectId: string, wishId: string): Promise<boolean> {
    const subject = await this.#owners.find(subjectId)
    const sql = 'delete from wish where subject = ? and wish_id = ?'
    return subject !== undefined && (await this.#database.run(sql, subject, wishId)) === 1
  }
}

function valuesOf(
  subject: number,
  clientId: string,
  { thing, accessId, lacks, times, firstAt, lastAt }: CountedWish,
  state: WishState,
  decidedAt: number | undefined,
) {
  return {
    ...{ subject, clientId, thing, wishId: wishIdOf(clientId, thing), accessId, times, firstAt, lastAt, state },
    lacks: lacks === undefined ? null : JSON.stringify(lacks),
    decidedAt: decidedAt ?? null,
  }
}
