import type { Choice, SourceChoice } from './choice.ts'
import type { OfferedSource } from './offer.ts'

/** Max. sources per page. A list that fits on one page has no search box and no page links. */
export const PAGE_SOURCES = 40
const FIND_CHARS = 100

/** Which of the offered sources the page shows. Chosen sources on other pages stay chosen. */
export interface Listing {
  readonly shown: readonly OfferedSource[]
  /** Sources with choices that are not in `shown`. */
  readonly elsewhere: readonly OfferedSource[]
  readonly find: string
  readonly page: number
  readonly pages: number
  /** Number of sources that match `find`, out of `total`. */
  readonly found: number
  readonly total: number
}

export interface SourceListQuery {
  readonly find: string
  readonly page: number
}

/** Names of the form fields that search and page through the list of sources. */
export const LIST_FORM_FIELDS = { find: 'find', found: 'found', at: 'at', page: 'page' } as const

/** Reads the search text and the page from the form. A new search text begins at page 1. */
export function readSourceListQuery(form: URLSearchParams): SourceListQuery {
  const find = (form.get(LIST_FORM_FIELDS.find) ?? '').trim().slice(0, FIND_CHARS)
  const page = Number(
    /^\d{1,5}$/.exec(form.get(LIST_FORM_FIELDS.page) ?? form.get(LIST_FORM_FIELDS.at) ?? '')?.[0] ?? 1,
  )
  return { find, page: find === (form.get(LIST_FORM_FIELDS.found) ?? '') ? page : 1 }
}

export function listSources(
  offer: readonly OfferedSource[],
  choice: Choice,
  { find, page }: SourceListQuery = { find: '', page: 1 },
): Listing {
  const total = offer.length
  // Requested sources are never split into pages, because the owner decides on all of them.
  if (total <= PAGE_SOURCES || offer.some(({ asked }) => asked))
    return { shown: offer, elsewhere: [], find: '', page: 1, pages: 1, found: total, total }
  const matching = find === '' ? offer : offer.filter((source) => matches(source, find))
  const pages = Math.max(1, Math.ceil(matching.length / PAGE_SOURCES))
  const at = Math.min(Math.max(1, page), pages)
  const shown = matching.slice((at - 1) * PAGE_SOURCES, at * PAGE_SOURCES)
  const here = new Set(shown)
  const elsewhere = offer.filter(
    (source) => !here.has(source) && hasOwnerChoices(source, choice.sources.get(source.key)),
  )
  return { shown, elsewhere, find, page: at, pages, found: matching.length, total }
}

/** True if the owner made choices for this source, which a page without it would lose. */
export function hasOwnerChoices({ connections }: OfferedSource, choice: SourceChoice | undefined): boolean {
  if (!choice) return false
  const accounts = connections.length > 1 && choice.connections.length > 0
  return choice.streams.size > 0 || accounts || choice.from !== '' || choice.to !== ''
}

function matches({ key, declaration, connections }: OfferedSource, find: string): boolean {
  const names = connections.flatMap(({ connectionId, displayName }) => [connectionId, displayName ?? ''])
  return [key, declaration.display.name, ...names].some((name) => matchesSearch(name, find))
}

export const matchesSearch = (name: string, find: string): boolean => find !== '' && folded(name).includes(folded(find))

const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('en')
