import { VARIANTS, type Vocabulary, type WordClass } from './search-words.ts'

export interface SearchCase {
  readonly name: string
  /** How many records contain the words, as text for the report. */
  readonly frequency: string
  /** Max. CPU of finding and ranking, as a multiple of plain FTS5. */
  readonly goal?: number | undefined
  readonly texts: readonly string[]
  /** The same queries for plain FTS5. */
  readonly raw: readonly string[]
  /** Typical cases are also measured with cold caches, under grants and over many connections. */
  readonly isTypical: boolean
}

type Part = readonly [WordClass, number]

export function searchCases(vocabulary: Vocabulary): SearchCase[] {
  const { rare, selective, one, ten, quarter, forty, most } = vocabulary
  return [
    wordCase('one word, rare', [[rare, 1]], 2),
    wordCase('one word, 0.5 %', [[selective, 1]]),
    wordCase('one word, 1 %', [[one, 1]]),
    wordCase('one word, 10 %', [[ten, 1]]),
    wordCase('one word, 25 %', [[quarter, 1]], 0.03),
    wordCase('one word, 40 %', [[forty, 1]]),
    wordCase('two words: rare, rare', [[rare, 2]]),
    wordCase('two words: rare, 1 %', [[rare, 1], [one, 1]]), // biome-ignore format: a list of parts
    wordCase('two words: 1 %, 10 %', [[one, 1], [ten, 1]]), // biome-ignore format: a list of parts
    wordCase('two words: 40 %, 40 %', [[forty, 2]]),
    wordCase('three words: 1 %, 10 %, 40 %', [[one, 1], [ten, 1], [forty, 1]]), // biome-ignore format: a list of parts
    wordCase('four words: 10 %, 10 %, 40 %, 40 %', [[ten, 2], [forty, 2]]), // biome-ignore format: a list of parts
    wordCase('8 words, mixed', [[rare, 1], [one, 2], [ten, 2], [forty, 1], [most, 2]], 0.12), // biome-ignore format: a list of parts
    wordCase('15 words, mixed', [[rare, 1], [selective, 2], [one, 3], [ten, 4], [forty, 2], [most, 3]], 0.12), // biome-ignore format: a list of parts
    wordCase('12 words, all common', [[ten, 5], [forty, 4], [most, 3]], 0.12), // biome-ignore format: a list of parts
    phraseCase('phrase of two words, from a record', vocabulary.phrases),
    phraseCase(
      'phrase of two common words',
      variants((index) => pick(forty, index, 2).join(' ')),
      1,
    ),
    missCase('miss, one word', vocabulary.missing),
    missCase(
      'miss beside a 10 % word',
      vocabulary.missing.map((word, index) => `${word} ${pick(ten, index, 1)[0]}`),
    ),
  ]
}

const variants = <T>(make: (index: number) => T): T[] => Array.from({ length: VARIANTS }, (_, index) => make(index))
const pick = ({ words }: WordClass, index: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => words[(index + at * 3) % words.length]!)
const quoted = (word: string): string => `"${word}"`
const anyOf = (words: readonly string[]): string => words.map(quoted).join(' OR ')

function wordCase(name: string, parts: readonly Part[], goal?: number): SearchCase {
  const lists = variants((index) => parts.flatMap(([words, count]) => pick(words, index, count)))
  return {
    name,
    frequency: parts.map(([{ least, most }]) => range(least, most)).join('; '),
    goal,
    texts: lists.map((words) => words.join(' ')),
    raw: lists.map(anyOf),
    isTypical: goal !== undefined,
  }
}

function phraseCase(name: string, phrases: readonly string[], goal?: number): SearchCase {
  const texts = phrases.map(quoted)
  return { name, frequency: '', goal, texts, raw: texts, isTypical: goal !== undefined }
}

function missCase(name: string, texts: readonly string[]): SearchCase {
  const raw = texts.map((text) => anyOf(text.split(' ')))
  return { name, frequency: '', texts, raw, isTypical: false }
}

const range = (least: number, most: number): string =>
  least === most ? least.toLocaleString('en') : `${least.toLocaleString('en')}–${most.toLocaleString('en')}`
