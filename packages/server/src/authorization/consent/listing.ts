import type { Choice, SourceChoice } from './choice.ts'
import type { OfferedSource } from './offer.ts'

/** Sources on one page; up to so many there is nothing to look for or to turn. */
export const PAGE_SOURCES = 40
const FIND_CHARS = 100

/** Which of the offered sources stand on the page. It never decides what is given: what is chosen is always there. */
export interface Listing {
  readonly shown: readonly OfferedSource[]
  /** Chosen, and not among those above. */
  readonly elsewhere: readonly OfferedSource[]
  readonly find: string
  readonly page: number
  readonly pages: number
  /** How many are found, of how many. */
  readonly found: number
  readonly total: number
}

export interface SourceListQuery {
  readonly find: string
  readonly page: number
}

export const LOOKING = { find: 'find', found: 'found', at: 'at', page: 'page' } as const

/** What the form says: the words to find, and the page. Other words begin at their first page. */
export function readSourceListQuery(form: URLSearchParams): SourceListQuery {
  const find = (form.get(LOOKING.find) ?? '').trim().slice(0, FIND_CHARS)
  const page = Number(/^\d{1,5}$/.exec(form.get(LOOKING.page) ?? form.get(LOOKING.at) ?? '')?.[0] ?? 1)
  return { find, page: find === (form.get(LOOKING.found) ?? '') ? page : 1 }
}

export function listSources(
  offer: readonly OfferedSource[],
  choice: Choice,
  { find, page }: SourceListQuery = { find: '', page: 1 },
): Listing {
  const total = offer.length
  // What was asked for is seen whole: the owner decides on all of it.
  if (total <= PAGE_SOURCES || offer.some(({ asked }) => asked))
    return { shown: offer, elsewhere: [], find: '', page: 1, pages: 1, found: total, total }
  const matching = find === '' ? offer : offer.filter((source) => matches(source, find))
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_SOURCES))
  const at = Math.min(Math.max(1, page), pages)
  const shown = matching.slice((at - 1) * PAGE_SOURCES, at * PAGE_SOURCES)
  const here = new Set(shown)
  const elsewhere = offer.filter((source) => !here.has(source) && isTouched(source, choice.sources.get(source.key)))
  return { shown, elsewhere, find, page: at, pages, found: matching.length, total }
}

/** Whether the owner has done anything there that a page without it would forget. */
export function isTouched({ connections }: OfferedSource, choice: SourceChoice | undefined): boolean {
  if (!choice) return false
  const accounts = connections.length > 1 && choice.connections.length > 0
  return choice.streams.size > 0 || accounts || choice.from !== '' || choice.to !== ''
}

function matches({ key, declaration, connections }: OfferedSource, find: string): boolean {
  const names = connections.flatMap(({ connectionId, displayName }) => [connectionId, displayName ?? ''])
  return [key, declaration.display.name, ...names].some((name) => isFound(name, find))
}

export const isFound = (name: string, find: string): boolean => find !== '' && folded(name).includes(folded(find))

const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('en')
