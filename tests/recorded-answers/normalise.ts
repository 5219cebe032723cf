// Replaces values that differ from run to run, and the sentences of errors, which may change. Leaves the rest.
import type { World } from './world.ts'

const cursorLeads = [
  /"(?:next_cursor|previous_cursor|next_changes_since)":"([\w-]{30,})"/g,
  /\b(?:next_cursor|previous_cursor|next_changes_since|cursor|changes_since)=([\w-]{30,})/g,
]
const randomShapes: readonly (readonly [kind: string, shape: RegExp])[] = [
  ['request', /\breq_[0-9a-f]{24}\b/g],
  ['grant', /\bgrt_[0-9a-f]{24}\b/g],
  ['package', /\bpkg_[0-9a-f]{24}\b/g],
  ['client', /\bcli_[0-9a-f]{24}\b/g],
  ['token', /\bpdpp_(?:[a-z2-7]{8}_)?[\w-]{43}/g],
]

/** Replaces known values by their names, and other random values by their kind and a number in order of appearance. */
export function normalise(text: string, { known, since }: Pick<World, 'known' | 'since'>): string {
  // The address of a wish contains the id of a grant and a seal.
  let result = text.replace(/\/wishes\/[\w-]{30,}/g, '/wishes/<wish>')
  for (const [value, name] of known) result = result.replaceAll(value, name)
  const cursors = cursorLeads.flatMap((lead) => [...result.matchAll(lead)].map((match) => match[1]!))
  const firstAt = (cursor: string) => result.indexOf(cursor)
  const inOrder = [...new Set(cursors)].toSorted((one, other) => firstAt(one) - firstAt(other))
  for (const [index, cursor] of inOrder.entries()) result = result.replaceAll(cursor, `<cursor-${index + 1}>`)
  for (const [kind, shape] of randomShapes) {
    const names = new Map<string, string>()
    result = result.replace(shape, (value) => {
      if (!names.has(value)) names.set(value, `<${kind}-${names.size + 1}>`)
      return names.get(value)!
    })
  }
  return withoutNow(result, since)
}

// Replaces times of this run. Times in the data are never between the moment when it was loaded and now.
function withoutNow(text: string, since: number): string {
  const isNow = (time: number, unit: number) => time >= Math.floor(since / unit) && time <= Date.now() / unit
  return text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => (isNow(Date.parse(time), 1) ? '<now>' : time))
    .replace(/"iat":(\d{10})\b/g, (all, seconds) => (isNow(Number(seconds), 1000) ? '"iat":<now>' : all))
    .replace(/^retry-after: \d+$/m, 'retry-after: <seconds>')
}

/** The sentences of errors in a body. They may change. Everything else about an error must stay. */
export function wordsOfErrors(body: any): string[] {
  const errors = [body.error, body.result?.structuredContent?.error, ...(body.rejections ?? [])]
  const words = errors.flatMap((error) => [error?.message, error?.next_step])
  // An error of OAuth is a code, and another member has its sentence.
  if (typeof body.error === 'string') words.push(body.error_description)
  return words.filter((each) => typeof each === 'string' && each !== '')
}

export function withoutWords(text: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((result, each) => result.replaceAll(each, '<words>'), text)
}
