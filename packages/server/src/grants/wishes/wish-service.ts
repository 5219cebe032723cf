import { type LackingAccess, PdppError } from '@pdpp/protocol'
import { accessIdOf, type ClientAuthority, type PackageAuthority } from '../authority.ts'
import { WishCounter } from './wish-counter.ts'
import { type WishLink, WishLinks } from './wish-links.ts'
import type { StoredWish, WishState, WishStore } from './wish-store.ts'
import { bounded, thingOf, wishIdOf } from './wish-thing.ts'

/** Max. open wishes of one agent that are listed individually, and max. wishes of one agent that are stored at all. */
const WISH_LIMITS = { open: 50, all: 500 }
/** Counts are written together after this time. */
const WRITE_AFTER_MS = 5_000

/** Wishes are requests of agents that were refused. They give no access; they only inform the owner. */
export class WishService {
  readonly #wishes: WishStore
  readonly #links: WishLinks
  readonly #subjectId: string
  readonly #counter = new WishCounter()
  readonly #log: (line: string) => void
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: { store: WishStore; key: Uint8Array; subjectId: string; log: (line: string) => void }) {
    this.#wishes = options.store
    this.#links = new WishLinks(options.key)
    this.#subjectId = options.subjectId
    this.#log = options.log
  }

  /**
   * Counts a refusal and returns the path where the owner can allow the missing access. It neither reads nor writes a
   * store.
   */
  refused(authority: ClientAuthority | PackageAuthority, lacking: LackingAccess): string {
    const lacks = bounded(lacking)
    const accessId = accessIdOf(authority)
    this.#counter.add(authority.clientId, accessId, lacks, Date.now())
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref()
    return this.#links.path({ accessId, lacks })
  }

  /** Reads a link that `refused` returned. */
  read(token: string): WishLink {
    return this.#links.read(token)
  }

  pathOf(link: WishLink): string {
    return this.#links.path({ accessId: link.accessId, lacks: bounded(link.lacks) })
  }

  /** The latest first, including everything counted so far. */
  async list(
    subjectId: string,
    options: { clientId?: string | undefined; state?: WishState | undefined; limit?: number } = {},
  ): Promise<StoredWish[]> {
    await this.write()
    return this.#wishes.list(subjectId, { limit: WISH_LIMITS.all, ...options })
  }

  async find(subjectId: string, clientId: string, lacks: LackingAccess): Promise<StoredWish | undefined> {
    await this.write()
    return this.#wishes.find(subjectId, wishIdOf(clientId, thingOf(bounded(lacks))))
  }

  async require(subjectId: string, wishId: string): Promise<StoredWish> {
    await this.write()
    const found = await this.#wishes.find(subjectId, wishId)
    if (found) return found
    throw new PdppError('not_found', 'There is no such wish.', { param: 'wish_id', reason: 'wish' })
  }

  /** Denies or silences a wish. The owner is not asked about this thing again, and the agent stays refused. */
  async decide(
    subjectId: string,
    wish: Pick<StoredWish, 'clientId' | 'accessId' | 'lacks'>,
    state: 'denied' | 'silenced',
  ): Promise<void> {
    await this.write()
    const at = Date.now()
    const lacks = wish.lacks && bounded(wish.lacks)
    const counted = { thing: thingOf(lacks), lacks, accessId: wish.accessId, times: 0, firstAt: at, lastAt: at }
    await this.#wishes.decide(subjectId, { ...counted, clientId: wish.clientId }, state, at)
  }

  /** Deletes a wish, because it was allowed or because the owner wants to be asked again. */
  async forget(subjectId: string, clientId: string, lacks: LackingAccess | undefined): Promise<boolean> {
    await this.write()
    return this.#wishes.remove(subjectId, wishIdOf(clientId, thingOf(lacks && bounded(lacks))))
  }

  /** Writes the counts. Calls run one after the other, so that a list includes every earlier refusal. */
  write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#counter.isEmpty) {
      const counts = this.#counter.take()
      this.#writing = this.#writing.then(async () => {
        for (const [clientId, wishes] of counts)
          await this.#wishes.count(this.#subjectId, clientId, wishes, WISH_LIMITS)
      })
      // A lost count, for example because the disk is full, does no harm: every refusal has its receipt.
      this.#writing = this.#writing.catch((error) => this.#log(`wishes were not saved: ${(error as Error).message}`))
    }
    return this.#writing
  }
}
