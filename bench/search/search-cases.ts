import { VARIANTS, type Vocabulary, type WordClass } from './search-words.ts'

export interface SearchCase {
  readonly name: string
  /** How many records contain the words, as text for the report. */
  readonly frequency: string
  /** Max. milliseconds at the 95th percentile. */
  readonly goalMs: number
  readonly texts: readonly string[]
  /** The same queries for plain FTS5. */
  readonly raw: readonly string[]
  /** Compared with an exhaustive ranking. Possible only if one of the words is rare. */
  readonly ranked: boolean
}

type Part = readonly [WordClass, number]

const FEW_WORDS_MS = 20
const QUESTION_MS = 40

export function searchCases(vocabulary: Vocabulary): SearchCase[] {
  const { rare, selective, one, ten, forty, most } = vocabulary
  const few = (name: string, parts: readonly Part[], ranked = false) => wordCase(name, parts, 'AND', ranked)
  const question = (name: string, parts: readonly Part[]) => wordCase(name, parts, 'OR', false)
  return [
    few('one word, rare', [[rare, 1]], true),
    few('one word, 0.5 %', [[selective, 1]], true),
    few('one word, 1 %', [[one, 1]]),
    few('one word, 10 %', [[ten, 1]]),
    few('one word, 40 %', [[forty, 1]]),
    few('two words: rare, rare', [[rare, 2]], true),
    few('two words: rare, 1 %', [[rare, 1], [one, 1]], true), // biome-ignore format: a list of parts
    few('two words: 0.5 %, 10 %', [[selective, 1], [ten, 1]], true), // biome-ignore format: a list of parts
    few('two words: 1 %, 10 %', [[one, 1], [ten, 1]]), // biome-ignore format: a list of parts
    few('two words: 40 %, 40 %', [[forty, 2]]),
    few('three words: 1 %, 10 %, 40 %', [[one, 1], [ten, 1], [forty, 1]]), // biome-ignore format: a list of parts
    few('four words: rare, 1 %, 10 %, 40 %', [[rare, 1], [one, 1], [ten, 1], [forty, 1]]), // biome-ignore format: a list of parts
    few('four words: 10 %, 10 %, 40 %, 40 %', [[ten, 2], [forty, 2]]), // biome-ignore format: a list of parts
    question('question of 8 words, mixed', [[rare, 1], [one, 2], [ten, 2], [forty, 1], [most, 2]]), // biome-ignore format: a list of parts
    question('question of 15 words, mixed', [[rare, 1], [selective, 2], [one, 3], [ten, 4], [forty, 2], [most, 3]]), // biome-ignore format: a list of parts
    question('question of 12 words, all common', [[ten, 5], [forty, 4], [most, 3]]), // biome-ignore format: a list of parts
    phraseCase('phrase of two words, from a record', vocabulary.phrases),
    phraseCase(
      'phrase of two 40 % words',
      variants((index) => pick(forty, index, 2).join(' ')),
    ),
    plainCase('miss, one word', vocabulary.missing),
    plainCase(
      'miss beside a 10 % word',
      vocabulary.missing.map((word, index) => `${word} ${pick(ten, index, 1)[0]}`),
    ),
  ]
}

const variants = <T>(make: (index: number) => T): T[] => Array.from({ length: VARIANTS }, (_, index) => make(index))
const pick = ({ words }: WordClass, index: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => words[(index + at * 3) % words.length]!)
const quoted = (word: string): string => `"${word}"`

/** In plain FTS5 all words of a query must match, but any word of a question. */
function wordCase(name: string, parts: readonly Part[], operator: 'AND' | 'OR', ranked: boolean): SearchCase {
  const lists = variants((index) => parts.flatMap(([words, count]) => pick(words, index, count)))
  return {
    name,
    frequency: parts.map(([{ least, most }]) => range(least, most)).join('; '),
    goalMs: operator === 'OR' ? QUESTION_MS : FEW_WORDS_MS,
    texts: lists.map((words) => words.join(' ')),
    raw: lists.map((words) => words.map(quoted).join(` ${operator} `)),
    ranked,
  }
}

function phraseCase(name: string, phrases: readonly string[]): SearchCase {
  const texts = phrases.map(quoted)
  return { name, frequency: '', goalMs: FEW_WORDS_MS, texts, raw: texts, ranked: false }
}

function plainCase(name: string, texts: readonly string[]): SearchCase {
  const raw = texts.map((text) => text.split(' ').map(quoted).join(' OR '))
  return { name, frequency: '', goalMs: FEW_WORDS_MS, texts, raw, ranked: false }
}

const range = (least: number, most: number): string =>
  least === most ? least.toLocaleString('en') : `${least.toLocaleString('en')}–${most.toLocaleString('en')}`
