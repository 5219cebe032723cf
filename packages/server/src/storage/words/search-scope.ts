import type { StreamDeclaration } from '@pdpp/protocol'
import { includesField } from '../../grants/read-scope.ts'
import { tokenize } from '../../search/analysis/analyser.ts'
import { ACTOR_NAMES, TITLE_NAMES } from '../../search/evidence/label.ts'
import { moneyWords } from '../../search/query/question-words.ts'
import { englishStem } from '../../search/ranking/forms/english-forms.ts'
import type { EditionScope, FieldClass, IndexScope, TimeLimit } from '../../search/ranking/index-scope.ts'
import type { SearchedStream } from '../../search/search-store.ts'
import type { EditionSpec } from './edition.ts'
import { type FeedSets, needsGrantedSet, orderColumn, type SearchedFeed, timeColumnOf } from './searched-feed.ts'

/**
 * The scope that the feeds of a stream share if they have the same search fields. It is computed once, because a source
 * may have hundreds of feeds.
 */
interface CommonScope extends Omit<EditionScope, 'feed' | 'order' | 'only'> {
  readonly needsSet: boolean
  /** Represents all other members in the name of a scope. */
  readonly number: number
}

/** The part of the word index that the grants of a search show, as numbers. */
export function indexScope<Feed extends SearchedFeed>(feeds: readonly Feed[], sets: FeedSets<Feed>): IndexScope {
  const classes = new Classes()
  const common = new CommonScopes(classes)
  const editions = new Map<number, EditionScope>()
  const names: string[] = []
  const orders = ordersOf(feeds)
  for (const feed of feeds) {
    const { edition } = feed.edition
    // Members of a package never share a feed, because consent to such a package is refused.
    if (editions.has(edition)) continue
    const { needsSet, number, ...shared } = common.of(feed)
    const granted = needsSet ? sets.granted(feed) : undefined
    const order = orders.get(feed)!
    editions.set(edition, { ...shared, feed: feed.feed.feed, order, only: granted?.only })
    names.push(`${edition} ${order} ${number} ${granted?.name ?? ''}`)
  }
  return { name: [...names, '', common.name, '', classes.name].join('\n'), classes: classes.list, editions }
}

/** Computes the common scope once per stream. */
class CommonScopes {
  readonly #classes: Classes
  readonly #known = new Map<SearchedStream, Map<EditionSpec, CommonScope>>()
  readonly #names: string[] = []

  constructor(classes: Classes) {
    this.#classes = classes
  }

  get name(): string {
    return this.#names.join('\n')
  }

  of(feed: SearchedFeed): CommonScope {
    const ofStream = this.#known.get(feed.stream) ?? new Map<EditionSpec, CommonScope>()
    this.#known.set(feed.stream, ofStream)
    const known = ofStream.get(feed.edition.spec) ?? this.#make(feed)
    ofStream.set(feed.edition.spec, known)
    return known
  }

  #make(feed: SearchedFeed): CommonScope {
    const slots = feed.edition.spec.fields.map((field) => this.#classes.of(feed, field))
    const [orderedBy, isGrouped, names] = [orderColumn(feed), showsConversations(feed), nameWords(feed)]
    const times = timeLimits(feed)
    const limits = times.map(({ column, since, until }) => `${column} ${since} ${until}`)
    const text = `${slots.join()} ${orderedBy} ${isGrouped} ${[...names].join()} ${limits.join()}`
    const number = this.#names.push(text) - 1
    return { slots, orderedBy, isGrouped, names, times, needsSet: needsGrantedSet(feed), number }
  }
}

/** A neighbour is shown only if the grant includes the conversation and the time of records. */
function showsConversations({ edition: { spec }, stream: { scope } }: SearchedFeed): boolean {
  const [time] = spec.times
  if (spec.group === null || time === null) return false
  return includesField(scope.usable, spec.group) && includesField(scope.usable, time.field)
}

/**
 * The words in the name of a stream and of the fields that the grant shows; a field of amounts is also named by words
 * for buying and paying.
 */
function nameWords({ stream: { scope } }: SearchedFeed): ReadonlySet<string> {
  const fields = Object.keys(scope.stream.schema['properties'] as object)
  const names = [scope.stream.name, ...fields.filter((field) => includesField(scope.usable, field))]
  const properties = scope.stream.schema['properties'] as Record<string, Record<string, unknown>>
  const hasAmount = names.some((name) => properties[name]?.['x_pdpp_role'] === 'amount')
  const key = `${hasAmount}\n${names.join('\n')}`
  const words = () => [...names.flatMap(wordsOfName), ...(hasAmount ? [...moneyWords].map(englishStem) : [])]
  const known = knownNames.get(key) ?? new Set(words())
  if (knownNames.size >= MAX_KNOWN_NAMES) knownNames.clear()
  knownNames.set(key, known)
  return known
}

const knownNames = new Map<string, ReadonlySet<string>>()
const MAX_KNOWN_NAMES = 1000

const wordsOfName = (name: string): string[] =>
  tokenize(name.replace(/_/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2')).map(({ term }) => englishStem(term))

/** The position of each feed in the order of source, stream and connection. */
function ordersOf(feeds: readonly SearchedFeed[]): Map<SearchedFeed, number> {
  const nameOf = ({ stream: { scope }, feed }: SearchedFeed) =>
    JSON.stringify([scope.connectorKey, scope.stream.name, feed.connectionId])
  const named = feeds.map((feed) => ({ feed, name: nameOf(feed) }))
  return new Map(named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ feed }, order) => [feed, order]))
}

/** A time limit of the grant uses the times in the index. A limit to single records needs the records. */
function timeLimits(feed: SearchedFeed): TimeLimit[] {
  const { time } = feed.stream.scope
  const column = time && timeColumnOf(feed, time.field)
  if (!time || column === undefined) return []
  return [{ column, since: time.since ?? -Number.MAX_VALUE, until: time.until ?? Number.POSITIVE_INFINITY }]
}

/**
 * Numbers the search fields of all streams. A field of a stream has the same number in all connections of its source.
 */
class Classes {
  readonly list: FieldClass[] = []
  readonly #known = new Map<string, number>()

  of({ stream }: SearchedFeed, field: string): number {
    if (!stream.fields.includes(field)) return -1
    const { connectorKey, stream: declared } = stream.scope
    const name = JSON.stringify([connectorKey, declared.name, field])
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const at = this.list.push({ field, role: roleOf(declared, field) }) - 1
    this.#known.set(name, at)
    return at
  }

  get name(): string {
    return this.list.map(({ field, role }) => JSON.stringify([field, role])).join()
  }
}

/**
 * A list of people has the role of an author, so that a search finds participants like authors. If a source declares no
 * author or no title, the fields that hits show as such, by their usual names, have these roles.
 */
function roleOf(stream: StreamDeclaration, field: string): string | undefined {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  const { type, x_pdpp_type, x_pdpp_role } = properties[field] ?? {}
  if (typeof x_pdpp_role === 'string') return x_pdpp_role
  if (x_pdpp_type === 'person' && [type].flat().includes('array')) return 'actor'
  const isUsual = (role: string, names: readonly string[]) =>
    names.find((name) => properties[name]) === field &&
    !Object.values(properties).some((property) => property['x_pdpp_role'] === role)
  if (isUsual('actor', ACTOR_NAMES)) return 'actor'
  return isUsual('primary-title', TITLE_NAMES) ? 'title' : undefined
}
