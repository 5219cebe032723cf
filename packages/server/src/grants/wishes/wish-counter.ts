import type { LackingAccess } from '@pdpp/protocol'
import type { CountedWish } from './wish-store.ts'
import { thingOf } from './wish-thing.ts'

/** Max. agents, and max. things per agent, that are counted individually until the counts are written. */
const MAX_CLIENTS = 200
export const MAX_THINGS = 50

type Count = { -readonly [Name in keyof CountedWish]: CountedWish[Name] }

/** Counts wishes in memory, so that a flood of refused requests writes no more than a single one. */
export class WishCounter {
  #clients = new Map<string, Map<string, Count>>()

  get isEmpty(): boolean {
    return this.#clients.size === 0
  }

  add(clientId: string, accessId: string, lacks: LackingAccess, at: number): void {
    const counts = this.#of(clientId)
    if (!counts) return
    const thing = thingOf(lacks)
    const kept = counts.has(thing) || counts.size < MAX_THINGS ? thing : ''
    const known = counts.get(kept)
    if (!known) {
      counts.set(kept, {
        thing: kept,
        accessId,
        lacks: kept === '' ? undefined : lacks,
        times: 1,
        firstAt: at,
        lastAt: at,
      })
      return
    }
    known.times++
    known.lastAt = at
    known.accessId = accessId
    if (kept !== '') known.lacks = lacks
  }

  /** The counts since the last call, by agent. */
  take(): ReadonlyMap<string, readonly CountedWish[]> {
    const taken = new Map([...this.#clients].map(([clientId, counts]) => [clientId, [...counts.values()]]))
    this.#clients = new Map()
    return taken
  }

  #of(clientId: string): Map<string, Count> | undefined {
    const known = this.#clients.get(clientId)
    if (known || this.#clients.size >= MAX_CLIENTS) return known
    const counts = new Map<string, Count>()
    this.#clients.set(clientId, counts)
    return counts
  }
}
