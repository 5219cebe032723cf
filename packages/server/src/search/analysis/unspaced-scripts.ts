import type { Emit } from './analyser.ts'
import { foldCharacter } from './fold.ts'

const HAN = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\uff70\\uff9e\\uff9f'
// Digits of these scripts follow the rule for other words.
const DICTIONARY = '[[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]--\\p{Nd}]'

/** Matches words that contain letters of scripts written without spaces. */
export const UNSPACED = new RegExp(`[${HAN}${DICTIONARY}]`, 'v')

/** Splits such a word by script: `第3回` has three parts, because digits form their own word. */
export const SCRIPT_RUN = new RegExp(
  `(?<han>[${HAN}][${HAN}\\p{M}]*)|(?<dictionary>[${DICTIONARY}][${DICTIONARY}\\p{M}]*)|[^${HAN}${DICTIONARY}]+`,
  'gv',
)

// Matches runs in which every character is one UTF-16 unit and folds to itself. Nearly all runs are like this.
const SIMPLE = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+$/
// One character with its marks and half-width voicing signs.
const CHARACTER = /.[\p{M}\uff9e\uff9f]*/gsu
const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * Emits overlapping pairs, and the last character alone. So every character begins a term, and a query of one character
 * finds all its occurrences as a prefix.
 */
export function bigrams(run: string, offset: number, emit: Emit): void {
  if (SIMPLE.test(run)) simpleBigrams(run, offset, emit)
  else anyBigrams(run, offset, emit)
}

function anyBigrams(run: string, offset: number, emit: Emit): void {
  let previous = ''
  let previousStart = 0
  let end = offset
  for (const { 0: character, index } of run.matchAll(CHARACTER)) {
    const folded = foldCharacter(character)
    if (folded === '') continue
    end = offset + index + character.length
    if (previous !== '') emit(previous + folded, previousStart, end)
    previous = folded
    previousStart = offset + index
  }
  if (previous !== '') emit(previous, previousStart, end)
}

function simpleBigrams(run: string, offset: number, emit: Emit): void {
  const last = run.length - 1
  for (let index = 0; index < last; index++) emit(run.slice(index, index + 2), offset + index, offset + index + 2)
  emit(run.slice(last), offset + last, offset + run.length)
}

export function dictionaryWords(run: string, offset: number, emit: (word: string, start: number) => void): void {
  for (const { segment, index, isWordLike } of words.segment(run)) if (isWordLike) emit(segment, offset + index)
}
