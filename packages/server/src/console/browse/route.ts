import { PdppError, type Warning } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { timeField } from '../../aggregates/monthly-counts.ts'
import type { Context } from '../../context.ts'
import { authoritiesOf } from '../../grants/authority.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import { resolveFilter } from '../../records/filter.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import type { SchemaSource } from '../../schema/schema-service.ts'
import { isKind, kindOf, sourceWords } from '../frame/kind.ts'
import { startOfDay } from '../frame/local-time.ts'
import { sendPage } from '../frame/send.ts'
import type { Markup } from '../frame/untrusted-text.ts'
import { authorityFor, resolveViewAs, type ViewAs } from '../record/view-as.ts'
import { foundList } from './found-list.ts'
import { type BrowseQuery, browsePage, overview } from './page.ts'
import { streamList } from './stream-list.ts'

const PAGE = { limit: 20, maxBytes: 2_000_000 }
const DAY_MS = 86_400_000

interface BrowseRequest {
  readonly context: Context
  readonly query: PageQuery
  readonly viewAs: ViewAs
  readonly browseQuery: BrowseQuery
}

/** GET /browse: a search, one stream, or everything. With `as`, only what an agent can see. */
export function browse(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const viewAs = await resolveViewAs(context, c, query.text('as'))
    const read = (statistics: boolean) => context.schema.read(authoritiesOf(viewAs.authority), { statistics })
    const sources = await read(false)
    // Refuse invalid dates before anything is read.
    for (const name of ['since', 'until']) query.time(name)
    const [since, until] = inOrder(query.text('since'), query.text('until'))
    const browseQuery = {
      ...{ since, until },
      kind: [query.text('kind') ?? ''].find(isKind),
      text: query.text('q'),
      connection: query.text('connection'),
      stream: query.text('stream'),
    }
    const body = await pageBody({ context, query, viewAs, browseQuery }, sources, () => read(true))
    return sendPage(c, browsePage({ pageSession: c.get('pageSession'), sources, browseQuery, as: viewAs.as, body }))
  }
}

async function pageBody(
  request: BrowseRequest,
  sources: readonly SchemaSource[],
  withNumbers: () => Promise<SchemaSource[]>,
): Promise<Markup> {
  const { browseQuery, query } = request
  if (browseQuery.text !== undefined) return searchResults(request, browseQuery.text)
  const matching = filtered(sources, browseQuery).flatMap(({ named, streams }) =>
    named.filter(({ connectionId }) => streams.some(({ scope }) => scope.connections.includes(connectionId))),
  )
  if (browseQuery.stream !== undefined && matching.length === 1)
    return stream(request, browseQuery.stream, matching[0]!.connectionId, matching[0]!.displayName)
  const link = (connection: string, name: string) => query.link({ connection, stream: name, cursor: undefined })
  return overview(filtered(await withNumbers(), browseQuery), { link, isDated: datesOf(request) !== undefined })
}

function filtered(sources: readonly SchemaSource[], { connection, stream: name, kind }: BrowseQuery): SchemaSource[] {
  return sources
    .map((source) => ({
      ...source,
      named: source.named.filter(({ connectionId }) => connectionId === (connection ?? connectionId)),
      streams: source.streams.filter(
        ({ declaration }) =>
          declaration.name === (name ?? declaration.name) &&
          (kind === undefined || kindOf(declaration.name, sourceWords(source.declaration)) === kind),
      ),
    }))
    .filter(({ named, streams }) => named.length > 0 && streams.length > 0)
}

async function searchResults({ context, query, viewAs, browseQuery }: BrowseRequest, text: string): Promise<Markup> {
  const warnings: Warning[] = []
  const request = {
    text,
    streams: browseQuery.stream === undefined ? undefined : [browseQuery.stream],
    connectionId: browseQuery.connection,
    filters: [],
    since: dayStart(browseQuery.since),
    until: dayStart(dayAfter(browseQuery.until)),
    limit: PAGE.limit,
  }
  const search = (cursor: string | undefined) =>
    context.search.search(viewAs.authority, { ...request, cursor }, warnings)
  const answer = await orFirstPage(search, query.text('cursor'))
  const last = answer.rowPage.rows.at(-1)
  return foundList({
    answer,
    warnings,
    as: viewAs.as,
    next: answer.rowPage.hasMore && last ? query.link({ cursor: answer.rowPage.cursorAfter(last) }) : undefined,
    within: (name) => query.link({ stream: name, cursor: undefined }),
  })
}

async function stream(
  { context, query, viewAs, browseQuery }: BrowseRequest,
  name: string,
  connectionId: string,
  displayName: string | undefined,
): Promise<Markup> {
  const scope = await context.records.scope(authorityFor(viewAs.authority, connectionId), {
    stream: name,
    connectionId,
  })
  const conditions = timeConditions(scope, browseQuery)
  const rowPage = await orFirstPage(
    (cursor) => context.records.page(scope, { ...PAGE, conditions, cursor }),
    query.text('cursor'),
  )
  const total = await context.records.count(scope, 'exact')
  const last = rowPage.rows.at(-1)
  return streamList({
    scope,
    sourceName: displayName ?? connectionId,
    records: rowPage.rows,
    total: total.value ?? 0,
    months: await context.monthlyCounts.months(scope),
    as: viewAs.as,
    next: rowPage.hasMore && last ? query.link({ cursor: rowPage.cursorAfter(last) }) : undefined,
    dates: datesOf({ query, browseQuery }),
    hasTime: timeField(scope) !== undefined,
    between: (since, until) => query.link({ since, until, cursor: undefined }),
  })
}

/** The dates in the form, if any, and a link without them. */
function datesOf({ query, browseQuery: { since, until } }: Pick<BrowseRequest, 'query' | 'browseQuery'>) {
  if (since === undefined && until === undefined) return
  return { since, until, all: query.link({ since: undefined, until: undefined, cursor: undefined }) }
}

/** If the list has changed and the cursor is no longer valid, shows the first page instead of an error. */
async function orFirstPage<T>(
  read: (cursor: string | undefined) => Promise<T>,
  cursor: string | undefined,
): Promise<T> {
  try {
    return await read(cursor)
  } catch (error) {
    if (cursor === undefined || !(error instanceof PdppError) || !/cursor/.test(error.code)) throw error
    return read(undefined)
  }
}

function timeConditions(scope: ReadScope, { since, until }: BrowseQuery) {
  const field = timeField(scope)
  if (field === undefined) return []
  // A field with only a date has no zone, so its days are compared as written.
  const properties = scope.stream.schema['properties'] as Record<string, { format?: string }> | undefined
  const isDate = properties?.[field]?.format === 'date'
  const [first, end] = [since, dayAfter(until)].map((day) => (isDate ? day : dayStart(day)))
  return resolveFilter(
    scope,
    [
      ...(first === undefined ? [] : [{ field, operator: 'gte', value: first, param: 'since' }]),
      ...(end === undefined ? [] : [{ field, operator: 'lt', value: end, param: 'until' }]),
    ],
    [],
  )
}

/** Somebody who fills in two days the wrong way round means the time between them. */
function inOrder(since: string | undefined, until: string | undefined): [string | undefined, string | undefined] {
  const isWrong = since !== undefined && until !== undefined && [since, until].every(isPlainDate) && since > until
  return isWrong ? [until, since] : [since, until]
}

const isPlainDate = (date: string): boolean => /^\d{4}-\d\d-\d\d$/.test(date)

/** The day after, so that the last day is fully included. */
function dayAfter(date: string | undefined): string | undefined {
  if (date === undefined || !isPlainDate(date)) return date
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)
}

/** The moment at which a day begins for the owner. A value with a time of day stays unchanged. */
function dayStart(date: string | undefined): string | undefined {
  return date === undefined || !isPlainDate(date) ? date : new Date(startOfDay(date)).toISOString()
}
