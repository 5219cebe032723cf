import { RecentCache } from '../../../lib/caches/recent-cache.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { openTargets, targetsName } from '../../words/sent-targets.ts'
import type { Session } from '../engine/session.ts'
import type { Declarations } from '../sources/declaration-reader.ts'

/** Max. lists of targets that a thread caches. */
const MAX_KEPT = 64
const MAX_KEPT_BYTES = 32 * 1024

interface Kept {
  readonly epoch: number
  readonly targets: readonly SearchedStream[]
}

/**
 * The targets that another thread sent. Returns the same list for the same text until a source of the owner changes.
 */
export class ReceivedTargets {
  readonly #declarations: Declarations
  readonly #kept = new RecentCache<string, Kept>(MAX_KEPT)

  constructor(declarations: Declarations) {
    this.#declarations = declarations
  }

  async read(session: Session, subject: number, text: string, epoch: number): Promise<readonly SearchedStream[]> {
    const name = targetsName(text)
    const known = this.#kept.get(name)
    if (known?.epoch === epoch) return known.targets
    const declared = await this.#declarations.read(session, subject)
    const byKey = new Map(declared.map((source) => [source.connector_key, source]))
    const targets = openTargets(text, ({ connectorKey }) => byKey.get(connectorKey))
    if (text.length <= MAX_KEPT_BYTES) this.#kept.set(name, { epoch, targets })
    return targets
  }
}
