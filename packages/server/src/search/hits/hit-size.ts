/** How much evidence a hit shows. `bare` is for hits that are too large in any other form. */
export type HitSize = 'full' | 'small' | 'bare'

/** Max. code points per excerpt (short texts are shown whole) and max. excerpts per hit. */
export const EXCERPT_SIZES = {
  full: { chars: 200, maxExcerpts: 3 },
  small: { chars: 120, maxExcerpts: 1 },
} as const

/** Max. code points of the beginning of a text without a match, and of a neighbouring record. */
export const PREVIEW_CHARS = 200
export const NEIGHBOUR_CHARS = 140
