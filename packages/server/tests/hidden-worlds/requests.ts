import type { HiddenWorld } from './world.ts'

export interface Request {
  readonly path: string
  /** A tool call instead of a read of `/v1`. */
  readonly tool?: string
  readonly args?: Record<string, unknown>
}

const rest = (path: string): Request => ({ path })
const call = (tool: string, args: Record<string, unknown>): Request => ({ path: '/mcp', tool, args })

/** Every read of `/v1` and every tool, with granted and with hidden names. */
export function requestsOf(world: HiddenWorld): Request[] {
  if (!world.isPackage) return allRequests(world)
  // A package must say which of its sources it reads.
  return allRequests(world).flatMap((request) => {
    if (request.tool !== undefined)
      return [request, { ...request, args: { ...request.args, connection_id: world.home } }]
    const named = /connection_id=/.test(request.path) || !/\/v1\/streams\/|\/search/.test(request.path)
    const path = `${request.path}${request.path.includes('?') ? '&' : '?'}connection_id=${world.home}`
    return named ? [request] : [{ path }]
  })
}

function allRequests(world: HiddenWorld): Request[] {
  const letters = '/v1/streams/letters'
  const [first, second] = world.visibleKeys as [string, string]
  const source = world.home
  return [
    ...['', '?view=compact', '?view=compact&stream=letters', '?view=compact&stream=replies'].map((query) =>
      rest(`/v1/schema${query}`),
    ),
    rest(`/v1/schema?stream=letters&connection_id=${source}`),
    ...['/v1/streams', letters, '/v1/streams/replies', '/v1/streams/drafts', '/v1/connectors'].map(rest),
    ...[
      'limit=10',
      'limit=10&order=asc',
      'limit=100&count=exact',
      'limit=7&sort=-size',
      'limit=7&sort=sender',
      'limit=5&filter[sender]=Ada Reed&count=exact',
      'filter[size][gte]=500&count=exact',
      `filter[sent_at][gte]=2026-01-20&filter[sent_at][lt]=2026-02-01&count=exact`,
      'fields=id,topic&limit=20',
      'fields=secret',
      'limit=100&max_bytes=3000',
      'expand=replies&limit=12',
      'expand=replies&expand_limit[replies]=1&limit=12&order=asc',
      `around=${first}&limit=7`,
      'around=hidden-1',
      'changes_since=beginning&limit=20',
      `connection_id=${source.replace('home', 'work')}`,
      'connection_id=nowhere',
    ].map((query) => rest(`${letters}/records?${query}`)),
    rest('/v1/streams/replies/records?limit=50&count=exact'),
    ...[first, second, ...world.hiddenKeys, 'never'].flatMap((key) => [
      rest(`${letters}/records/${key}`),
      rest(`${letters}/records/${key}?expand=replies&label=true`),
      rest(`${letters}/records/${key}/field-window?field=body&limit_chars=40`),
    ]),
    ...[
      'metric=count',
      'metric=sum&field=size',
      'metric=max&field=sent_at',
      'metric=count&group_by=sender',
      'metric=count&group_by=thread&limit=2',
      'metric=count&group_by_time=sent_at&granularity=month',
      'metric=count_distinct&field=topic',
      'metric=count&filter[sender]=Bo Finch',
      'metric=count&filter[secret]=storm',
    ].map((query) => rest(`${letters}/aggregate?${query}`)),
    ...SEARCHES.map((query) => rest(`/v1/search?${query}`)),
    call('schema', {}),
    call('schema', { stream: 'letters' }),
    call('query_records', { stream: 'letters', limit: 15, count: 'exact' }),
    call('query_records', { stream: 'letters', expand: ['replies'], limit: 5 }),
    call('query_records', { stream: 'letters', around: `${source}/letters:${first}` }),
    call('aggregate', { stream: 'letters', metric: 'count', group_by: ['sender'] }),
    call('fetch', { id: `${source}/letters:${first}` }),
    call('fetch', { id: `${source}/letters:hidden-1` }),
    call('read_record_field', { id: `${source}/letters:${second}`, field_path: 'body', limit_chars: 30 }),
    call('search', { query: 'storm harbour', limit: 5 }),
  ]
}

const SEARCHES = ['q=storm', 'q=harbour storm&count=exact&limit=5', 'q="the boat"', 'q=herring -calm', 'q=nosuchword']
