import type { LackingAccess } from '@pdpp/protocol'

/** `open` waits for the owner. A denied or silenced wish never comes up again. */
export type WishState = 'open' | 'denied' | 'silenced'

/** Something that an agent asked for and did not get. Asking again for the same thing is the same wish. */
export interface StoredWish {
  readonly wishId: string
  readonly clientId: string
  /** The grant or package that was refused last. It may have been replaced since. */
  readonly accessId: string
  /** Undefined for the single wish that stands for all wishes beyond the limit. */
  readonly lacks: LackingAccess | undefined
  readonly times: number
  readonly firstAt: number
  readonly lastAt: number
  readonly state: WishState
  readonly decidedAt: number | undefined
}

/** How often an agent asked for one thing since the counts were last written. */
export interface CountedWish extends Pick<StoredWish, 'accessId' | 'lacks' | 'times' | 'firstAt' | 'lastAt'> {
  /** Identifies the thing. Empty for the wish that stands for all others. */
  readonly thing: string
}

export interface WishLimits {
  /** Max. open wishes of one agent that are stored individually. */
  readonly open: number
  /** Max. wishes of one agent, including decided ones. */
  readonly all: number
}

export interface WishStore {
  /**
   * Adds counts in one transaction. Decided wishes do not change. A new thing beyond the limits is counted in the wish
   * that stands for all others; if that wish was decided, the thing is not counted.
   */
  count(subjectId: string, clientId: string, wishes: readonly CountedWish[], limits: WishLimits): Promise<void>
  find(subjectId: string, wishId: string): Promise<StoredWish | undefined>
  /** The latest first. */
  list(
    subjectId: string,
    options: { limit: number; clientId?: string | undefined; state?: WishState | undefined },
  ): Promise<StoredWish[]>
  /** Records a decision, even about a thing that was never counted. */
  decide(
    subjectId: string,
    wish: CountedWish & { readonly clientId: string },
    state: 'denied' | 'silenced',
    at: number,
  ): Promise<void>
  /**
   * Deletes a wish, because it was allowed or because the owner wants to be asked again. False if it does not exist.
   */
  remove(subjectId: string, wishId: string): Promise<boolean>
}
