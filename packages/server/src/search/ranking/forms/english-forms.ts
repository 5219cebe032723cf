/** Words that change inside, each with its forms. English only; other languages are matched by a common beginning. */
const FAMILIES = `go goes going went gone|buy buys buying bought|run runs running ran|make makes making made|take takes taking took taken
give gives giving gave given|get gets getting got gotten|see sees seeing saw seen|come comes coming came|think thinks thinking thought
find finds finding found|tell tells telling told|feel feels feeling felt|leave leaves leaving left|keep keeps keeping kept
begin begins beginning began begun|bring brings bringing brought|write writes writing wrote written|sit sits sitting sat
stand stands standing stood|lose loses losing lost|pay pays paying paid|meet meets meeting met|lead leads leading led
understand understands understanding understood|speak speaks speaking spoke spoken|spend spends spending spent
grow grows growing grew grown|win wins winning won|teach teaches teaching taught|catch catches catching caught
fall falls falling fell fallen|send sends sending sent|build builds building built|break breaks breaking broke broken
drive drives driving drove driven|eat eats eating ate eaten|fly flies flying flew flown|sing sings singing sang sung
swim swims swimming swam swum|draw draws drawing drew drawn|choose chooses choosing chose chosen|sleep sleeps sleeping slept
wear wears wearing wore worn|hear hears hearing heard|hold holds holding held|know knows knowing knew known
ride rides riding rode ridden|forget forgets forgetting forgot forgotten|sell sells selling sold|steal steals stealing stole stolen
fight fights fighting fought|drink drinks drinking drank drunk|throw throws throwing threw thrown|hide hides hiding hid hidden
wake wakes waking woke woken|shake shakes shaking shook shaken|tear tears tearing tore torn|bite bites biting bit bitten
child children|person people|man men|woman women|life lives|wife wives|knife knives|foot feet|tooth teeth|mouse mice`

const families = new Map<string, readonly string[]>()
for (const line of FAMILIES.split(/[|\n]/)) {
  const words = line.split(' ')
  for (const word of words) families.set(word, words)
}

const NONE: readonly string[] = []

/** The other words of an irregular family, such as "went" for "go". */
export const irregularForms = (word: string): readonly string[] => families.get(word) ?? NONE

const LATIN = /^[a-z]+$/
const MIN_LETTERS = 4

/** A word without its English ending: "buying" and "buys" have one stem, and so have "studies" and "study". */
export function englishStem(word: string): string {
  if (word.length < MIN_LETTERS || !LATIN.test(word)) return word
  const singular = withoutPlural(word)
  const stem = withoutEnding(singular)
  // "care" keeps its e, because it is not a form of "car".
  return stem.endsWith('e') && stem.length > 4 ? stem.slice(0, -1) : stem
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /(?:ss|us|is)$/.test(word) || !word.endsWith('s') ? word : word.slice(0, -1)
}

function withoutEnding(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  for (const ending of ['ing', 'ed', 'ly']) {
    const stem = word.slice(0, -ending.length)
    if (!word.endsWith(ending) || stem.length < 3 || !/[aeiouy]/.test(stem)) continue
    // "planned" has the stem "plan", but "called" has "call".
    return /([^aeiouylsz])\1$/.test(stem) ? stem.slice(0, -1) : stem
  }
  return word
}
