import type { LackingAccess } from '@pdpp/protocol'

/** `open` waits for the owner. A wish that was denied or silenced never asks again. */
export type WishState = 'open' | 'denied' | 'silenced'

/** Something that an agent asked for and did not get. Asking again for the same thing is the same wish. */
export interface StoredWish {
  readonly wishId: string
  readonly clientId: string
  /** The grant or package that was refused last. It may have been replaced since. */
  readonly accessId: string
  /** Undefined for the one wish that stands for all that are beyond the limit. */
  readonly lacks: LackingAccess | undefined
  readonly times: number
  readonly firstAt: number
  readonly lastAt: number
  readonly state: WishState
  readonly decidedAt: number | undefined
}

/** How often an agent asked for one thing since the last report. */
export interface CountedWish extends Pick<StoredWish, 'accessId' | 'lacks' | 'times' | 'firstAt' | 'lastAt'> {
  /** Identifies the thing. Empty for the wish that stands for all others. */
  readonly thing: string
}

export interface WishLimits {
  /** Max. open wishes of one agent that are kept singly. */
  readonly open: number
  /** Max. wishes of one agent, with those that were decided. */
  readonly all: number
}

export interface WishStore {
  /**
   * Adds counts in one transaction. Decided wishes stay as they are. A new thing beyond the limits is counted in the
   * wish that stands for all others; if that one was decided, it is not counted.
   */
  count(subjectId: string, clientId: string, wishes: readonly CountedWish[], limits: WishLimits): Promise<void>
  find(subjectId: string, wishId: string): Promise<StoredWish | undefined>
  /** The latest first. */
  list(
    subjectId: string,
    options: { limit: number; clientId?: string | undefined; state?: WishState | undefined },
  ): Promise<StoredWish[]>
  /** Records a decision, also of a thing that was never counted. */
  decide(
    subjectId: string,
    wish: CountedWish & { readonly clientId: string },
    state: 'denied' | 'silenced',
    at: number,
  ): Promise<void>
  /** Forgets a wish: it was allowed, or the owner wants to be asked again. False if it is not there. */
  remove(subjectId: string, wishId: string): Promise<boolean>
}
