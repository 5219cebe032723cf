// The levers of the ranking, one by one: each row leaves one out, so that its difference to the first row is its gain.
import { LEVERS, type Levers } from '../../packages/server/src/search/ranking/levers.ts'

/** As the ranking was before it had levers: words alone, with stronger proximity. */
const BEFORE: Partial<Levers> = {
  ...{ window: [], actor: 1.5, date: 0, fieldNames: 0, proximity: 0.5, guessed: 1 },
  ...{ saturation: 1, lengthShare: 0.5, whole: 0.5, uncovered: 0.5 },
  ...{ alike: 1, joined: 2, money: 0, minValue: 0 },
}

export const LEVER_ROWS: readonly (readonly [string, Levers])[] = [
  ['all levers', LEVERS],
  ['without the conversation', { ...LEVERS, window: [] }],
  ['without far neighbours: three on each side', { ...LEVERS, window: LEVERS.window.slice(0, 3) }],
  ['without who: an author counts as any short field', { ...LEVERS, actor: 1.5 }],
  ['without when', { ...LEVERS, date: 0 }],
  ['guessed forms count like exact ones', { ...LEVERS, guessed: 1 }],
  ['without names of fields', { ...LEVERS, fieldNames: 0 }],
  ['without spreading of alike records', { ...LEVERS, alike: 1 }],
  ['copies are lowered as late as alike records', { ...LEVERS, copyFree: LEVERS.alikeFree }],
  ['a word in a long text may count next to nothing', { ...LEVERS, minValue: 0 }],
  ['without two words written as one', { ...LEVERS, joined: 2 }],
  ['without currencies in questions for money', { ...LEVERS, money: 0 }],
  ['without proximity', { ...LEVERS, proximity: 0 }],
  ['proximity twice as strong, as before', { ...LEVERS, proximity: 0.5 }],
  ['no lever, and the constants of before', { ...LEVERS, ...BEFORE }],
]
