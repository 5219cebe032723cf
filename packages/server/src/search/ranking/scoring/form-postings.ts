import { LENGTH_CODES } from '../../segments/length-code.ts'
import { entriesIn, type Postings } from '../../segments/postings-codec.ts'
import type { VisiblePart } from '../visible-part.ts'
import { MAX_SUM } from './score-arrays.ts'

/** The postings of one form of a word in a segment. */
export interface FormPostings {
  readonly postings: Postings
  readonly closeness: number
}

export function longestOf(forms: readonly FormPostings[]): FormPostings | undefined {
  let longest = forms[0]
  for (const form of forms) if (entriesIn(form.postings) > entriesIn(longest!.postings)) longest = form
  return longest
}

/** The sum of a document in a list, as if no other list had it. `first` is its first entry. */
export function sumAt(
  { postings, closeness }: FormPostings,
  part: VisiblePart,
  counted: Int32Array,
  first: number,
): number {
  const { docs, slots, counts, lengths, to } = postings
  const { runOf, classAt, classes } = part.layout
  const doc = docs[first]!
  const class0 = classAt[runOf[doc]!]!
  let sum = 0
  for (let entry = first; entry < to && docs[entry] === doc; entry++) {
    const slot = slots[entry]!
    const of = classes[class0 + slot]!
    if (of < 0) continue
    const once = counted[of * LENGTH_CODES + lengths[entry]!]!
    sum += (counts[entry]! * once * closeness) | 0 || 1
  }
  return sum > MAX_SUM ? MAX_SUM : sum
}
