// Invented words that are distributed as in a language: a few occur in nearly every text (Zipf's law), and most are
// rare. A rare word shares its first letters with other forms of its stem.

const STEMS = 9001
const FORMS = ['', 's', 'ed', 'ing', 'er', 'ion', 'al', 'ly']
const CONSONANTS = 'bdfgklmnprstvzhj'
const VOWELS = 'aeiou'
const ZIPF_WORDS = 20_000
/** Rare words that do not follow Zipf's law and are about equally frequent. One drawn word in five is one of them. */
const TAIL_WORDS = 50_000
const TAIL_SHARE = 0.2

/** The first 9,001 words are stems. All others are forms of these stems. */
export function wordOf(rank: number): string {
  let rest = ((rank % STEMS) * 40_503 + 77) % 102_400
  let stem = ''
  for (const letters of [CONSONANTS, VOWELS, CONSONANTS, VOWELS, CONSONANTS]) {
    stem += letters[rest % letters.length]
    rest = Math.floor(rest / letters.length)
  }
  return stem + FORMS[Math.floor(rank / STEMS) % FORMS.length]!
}

const tail = Array.from({ length: TAIL_WORDS }, (_, index) => wordOf(ZIPF_WORDS + index))

/** A table that repeats each word in proportion to its frequency. A random entry follows Zipf's law. */
const zipf = ((): string[] => {
  const table: string[] = []
  const slots = 65_536
  const scale = slots / Math.log(ZIPF_WORDS)
  for (let rank = 1; rank <= ZIPF_WORDS && table.length < slots; rank++) {
    const upTo = Math.min(slots, Math.ceil(scale * Math.log(rank + 1)))
    while (table.length < upTo) table.push(wordOf(rank))
  }
  return table
})()

/** Chooses a word by a random number from 0 to 1. */
export function drawWord(random: number): string {
  if (random < TAIL_SHARE) return tail[Math.floor((random / TAIL_SHARE) * TAIL_WORDS)]!
  return zipf[Math.floor(((random - TAIL_SHARE) / (1 - TAIL_SHARE)) * zipf.length)]!
}
