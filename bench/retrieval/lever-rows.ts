// Each row turns off one lever of the ranking. Its difference to the first row is the gain of that lever.
import { LEVERS, type Levers } from '../../packages/server/src/search/ranking/levers.ts'

/** The ranking before it had levers: by words alone, with stronger proximity. */
const BEFORE: Partial<Levers> = {
  ...{ window: [], actor: 1.5, date: 0, fieldNames: 0, proximity: 0.5, guessed: 1 },
  ...{ saturation: 1, lengthShare: 0.5, whole: 0.5, uncovered: 0.5 },
  ...{ alike: 1, joined: 2, money: 0, minValue: 0 },
}

export const LEVER_ROWS: readonly (readonly [string, Levers])[] = [
  ['all levers', LEVERS],
  ['without neighbours in the conversation', { ...LEVERS, window: [] }],
  ['without far neighbours: only three on each side', { ...LEVERS, window: LEVERS.window.slice(0, 3) }],
  ['without people: an author counts like any short field', { ...LEVERS, actor: 1.5 }],
  ['without times that the question names', { ...LEVERS, date: 0 }],
  ['without a lower weight for guessed forms', { ...LEVERS, guessed: 1 }],
  ['without names of streams and fields', { ...LEVERS, fieldNames: 0 }],
  ['without a lower weight for similar records', { ...LEVERS, alike: 1 }],
  ['without a lower weight for copies, beyond that of similar records', { ...LEVERS, copyFree: LEVERS.alikeFree }],
  ['without a min. value of a word in a long text', { ...LEVERS, minValue: 0 }],
  ['without two words written as one', { ...LEVERS, joined: 2 }],
  ['without currencies in questions about money', { ...LEVERS, money: 0 }],
  ['without proximity', { ...LEVERS, proximity: 0 }],
  ['proximity twice as strong, as before', { ...LEVERS, proximity: 0.5 }],
  ['without any lever, with the constants of before', { ...LEVERS, ...BEFORE }],
]
