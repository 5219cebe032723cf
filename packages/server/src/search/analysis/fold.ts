import { arabicStem } from './arabic-stem.ts'
import { TERM_UNITS } from './ascii.ts'

// Marks that writers often leave out: Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs and hamza,
// the Indic nukta, variation selectors and enclosing marks. Invisible characters are dropped too: soft hyphen, joiners,
// tatweel. Vowel signs of Indic and South-East Asian scripts act as letters and stay.
const DROPPED = new RegExp(
  [
    '[\\u0300-\\u036f\\u20d0-\\u20ff\\ufe00-\\ufe0f\\u093c\\u09bc\\u0a3c\\u0abc]',
    '[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]',
    '[\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed]',
    '[\\u00ad\\u200c\\u200d\\u2060]',
  ].join('|'),
  'g',
)

const REPLACED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ς: 'σ', ı: 'i', đ: 'd', ð: 'd', ø: 'o', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ħ: 'h', ŧ: 't', ŋ: 'n' },
  ...{ ة: 'ه', ى: 'ي', ی: 'ي', ک: 'ك' },
}
const REPLACEABLE = new RegExp(`[${Object.keys(REPLACED).join('')}]`, 'g')

// The zero of each decimal script in daily use. NFKD has already folded full-width and mathematical digits.
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0,
]
const DIGIT = new RegExp(`[${ZEROS.map((zero) => String.fromCharCode(zero, 0x2d, zero + 9)).join('')}]`, 'g')

const NOT_WORD = /[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/u
const PLAIN = /^[a-z0-9]*$/
const ARABIC = /[\u0620-\u064a]/

// Cache of folded words. Words repeat, and folding one costs twenty times as much as this lookup.
const known = new Map<string, readonly string[]>()
const KNOWN_WORDS = 20_000
const KNOWN_UNITS = 24

/**
 * Returns the terms that a word is indexed and looked up under, without case, accents and variant letters. Usually one
 * term; a compatibility character can give several (`½`, `ﷺ`) and a stray mark none.
 */
export function wordTerms(word: string): readonly string[] {
  const cached = known.get(word)
  if (cached) return cached
  const terms = fold(word).split(NOT_WORD).map(termOf).filter(Boolean)
  if (word.length > KNOWN_UNITS) return terms
  if (known.size >= KNOWN_WORDS) known.clear()
  known.set(word, terms)
  return terms
}

export const foldCharacter = (character: string): string => wordTerms(character).join('')

function fold(word: string): string {
  const lower = cut(word, 4 * TERM_UNITS).toLowerCase()
  if (PLAIN.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replace(DROPPED, '')
    .toLowerCase()
    .replace(REPLACEABLE, (letter) => REPLACED[letter]!)
    .replace(DIGIT, digit)
    .normalize('NFC')
}

const termOf = (part: string): string => cut(ARABIC.test(part) ? arabicStem(part) : part, TERM_UNITS)

function cut(text: string, units: number): string {
  if (text.length <= units) return text
  const code = text.charCodeAt(units - 1)
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? units - 1 : units)
}

function digit(letter: string): string {
  const code = letter.charCodeAt(0)
  return String(code - ZEROS.findLast((zero) => zero <= code)!)
}
