import { type Choice, isChosen, isTicked } from './choice.ts'
import type { SourceGroup } from './groups.ts'
import type { OfferedSource } from './offer.ts'

/** With more lines than this, the page shows groups of sources. */
const MAX_LINES = 12
/** Max. lines below one group, and max. lines of one search. Chosen sources are always included. */
const MAX_GROUP_LINES = 50
const FIND_CHARS = 100

/** One line of the page: a connection with a tick. */
export interface SourceLine {
  readonly source: OfferedSource
  readonly connectionId: string
}

export interface LineGroup extends SourceGroup {
  readonly lines: readonly SourceLine[]
  /** Number of omitted lines. None of them is ticked. */
  readonly more: number
}

/** How the page lists the offer. Every ticked line is included. */
export type Listing =
  | { readonly kind: 'lines'; readonly lines: readonly SourceLine[]; readonly total: number }
  | { readonly kind: 'groups'; readonly groups: readonly LineGroup[]; readonly total: number }
  | {
      readonly kind: 'found'
      readonly find: string
      readonly lines: readonly SourceLine[]
      readonly more: number
      /** Ticked lines that do not match. */
      readonly chosen: readonly SourceLine[]
      readonly total: number
    }

/** The form field with the name to search for. */
export const FIND_FIELD = 'find'

export const readFind = (form: URLSearchParams): string => (form.get(FIND_FIELD) ?? '').trim().slice(0, FIND_CHARS)

export function listSources(
  offer: readonly OfferedSource[],
  choice: Choice,
  groups: readonly SourceGroup[],
  find = '',
): Listing {
  const all = linesOf(offer)
  const total = all.length
  if (total <= MAX_LINES) return { kind: 'lines', lines: all, total }
  const isOn = ({ source, connectionId }: SourceLine) => isTicked(source, choice.sources.get(source.key)!, connectionId)
  if (find === '') return { kind: 'groups', groups: groups.map((group) => lineGroup(group, isOn)), total }
  const matching = all.filter((line) => matches(line, find))
  const lines = matching.slice(0, MAX_GROUP_LINES)
  const here = new Set(lines)
  const chosen = all.filter((line) => !here.has(line) && isOn(line))
  return { kind: 'found', find, lines, more: matching.length - lines.length, chosen, total }
}

function lineGroup(group: SourceGroup, isOn: (line: SourceLine) => boolean): LineGroup {
  const all = linesOf(group.sources)
  // Never leave out a requested source, because the owner decides on all of them.
  const isKept = (line: SourceLine, index: number) =>
    index < MAX_GROUP_LINES || isOn(line) || line.source.asked !== undefined
  const lines = all.filter(isKept)
  return { ...group, lines, more: all.length - lines.length }
}

const linesOf = (sources: readonly OfferedSource[]): SourceLine[] =>
  sources.flatMap((source) => source.connections.map(({ connectionId }) => ({ source, connectionId })))

export const countTicked = (offer: readonly OfferedSource[], { sources }: Choice): number =>
  offer.reduce((sum, source) => {
    const choice = sources.get(source.key)
    return isChosen(choice) ? sum + (source.connections.length === 1 ? 1 : choice!.connections.length) : sum
  }, 0)

function matches({ source, connectionId }: SourceLine, find: string): boolean {
  const { key, declaration, connections } = source
  const name = connections.find((one) => one.connectionId === connectionId)?.displayName
  return [key, declaration.display.name, connectionId, name ?? ''].some((text) => folded(text).includes(folded(find)))
}

const folded = (text: string): string => text.normalize('NFKC').toLocaleLowerCase('en')
