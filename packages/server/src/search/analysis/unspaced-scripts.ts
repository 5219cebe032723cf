import type { Emit } from './analyser.ts'
import { foldCharacter } from './fold.ts'

const HAN = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\u30fc\\uff70\\uff9e\\uff9f'
// Digits of these scripts are left to the rule for other words.
const DICTIONARY = '[[\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}]--\\p{Nd}]'

/** A word that holds letters of scripts written without spaces. */
export const UNSPACED = new RegExp(`[${HAN}${DICTIONARY}]`, 'v')

/** Its parts by script: `第3回` is three, because the digits are a word of their own. */
export const SCRIPT_RUN = new RegExp(
  `(?<han>[${HAN}][${HAN}\\p{M}]*)|(?<dictionary>[${DICTIONARY}][${DICTIONARY}\\p{M}]*)|[^${HAN}${DICTIONARY}]+`,
  'gv',
)

// Runs in which every character is one unit and folds to itself, which is nearly all of them.
const SIMPLE = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff]+$/
// A character with whatever belongs to it: marks and the half-width voicing signs.
const CHARACTER = /.[\p{M}\uff9e\uff9f]*/gsu
const words = new Intl.Segmenter('und', { granularity: 'word' })

/**
 * Overlapping pairs, and the last character once more by itself: so every character begins a term, and a query of
 * one character finds all its places as a prefix.
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
