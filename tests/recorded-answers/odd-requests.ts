// The odd things, over REST and over MCP.
import { calls, gets, type Request, rpc } from './request.ts'

const papers = '/v1/streams/papers/records'
const handle = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const plain = { connection_id: 'odd', stream: 'papers', record_id: 'plain' }

const rest: Request[] = gets('odd', {
  'the schema': '/v1/schema?view=compact&stream=papers',
  'a wide stream': '/v1/schema?view=compact&stream=sheets',
  'all papers': `${papers}?fields=title,author,ratio,large,kept,seen,day`,
  'bytes as they are': `${papers}?limit=1&fields=photo`,
  'bytes as they are described': `${papers}?limit=6&fields=photo&binary=described`,
  'a wide record within bytes': '/v1/streams/sheets/records?limit=3&max_bytes=4000',
  'a very wide record within few bytes': '/v1/streams/sheets/records/sheet-0?max_bytes=1024',
  'wide records related to one': `${papers}/plain?expand=sheets&expand_limit[sheets]=1&max_bytes=6000&fields=title`,
  'a key of two lines': `${papers}/${encodeURIComponent('two\nlines')}?label=true&fields=title,text`,
  'a key that is an address': `${papers}/${encodeURIComponent('https://x.example/a/b?c=%20#d')}?fields=title`,
  'a window into bytes': `${papers}/plain/field-window?field=photo`,
  'a window into a number': `${papers}/plain/field-window?field=large`,
  'a window that ends at a sign': `${papers}/${encodeURIComponent('zero\u200bwidth')}/field-window?field=title&limit_chars=9`,
  'a large number as filter': `${papers}?filter[large][gte]=900719925474099213&fields=large&limit=2`,
  'a fraction as filter': `${papers}?filter[ratio][gte]=0.5&filter[ratio][lte]=1&fields=ratio`,
  'a day as filter': `${papers}?filter[day][gte]=2026-01-03&filter[day][lt]=2026-01-05&fields=day`,
  'seconds as filter': `${papers}?filter[seen][gte]=2026-01-04&fields=seen`,
  'groups of days': '/v1/streams/papers/aggregate?metric=count&group_by_time=day&time_zone=Europe/Berlin',
  'groups of seconds': '/v1/streams/papers/aggregate?metric=count&group_by_time=seen&granularity=week',
  'groups of hours':
    '/v1/streams/papers/aggregate?metric=count&group_by_time=at&granularity=hour&time_zone=Asia/Kolkata',
  'groups of true and false': '/v1/streams/papers/aggregate?metric=sum&field=ratio&group_by=kept',
  'a sum of two currencies': '/v1/streams/papers/aggregate?metric=sum&field=price',
  'a sum by currency': '/v1/streams/papers/aggregate?metric=sum&field=price&group_by=currency',
  'the first day': '/v1/streams/papers/aggregate?metric=min&field=day',
  'the first second': '/v1/streams/papers/aggregate?metric=min&field=seen',
  'marks that are not ours': '/v1/search?q=bright',
  'marks that are not ours, unmarked': '/v1/search?q=bright&highlight=false&limit=2',
  'a time where there is none': '/v1/search?q=cell&since=2026-01-01&streams=sheets',
})

const mcp: Request[] = [
  ...calls('odd', 'schema', { 'the stream over MCP': { stream: 'papers' } }),
  ...calls('odd', 'query_records', {
    'all papers over MCP': { stream: 'papers' },
    'wide records over MCP': { stream: 'sheets', limit: 3 },
    'papers with wide records over MCP': {
      stream: 'papers',
      fields: ['title'],
      filter: { id: 'plain' },
      expand: ['sheets'],
    },
    'a large number over MCP': {
      stream: 'papers',
      filter: { large: { gte: '900719925474099213' } },
      fields: ['large'],
    },
  }),
  ...calls('odd', 'aggregate', {
    'groups of days over MCP': { stream: 'papers', metric: 'count', group_by_time: 'day' },
    'a sum of two currencies over MCP': { stream: 'papers', metric: 'sum', field: 'price', filter: { kept: true } },
    'groups of names over MCP': { stream: 'papers', metric: 'count', group_by: ['author'] },
  }),
  ...calls('odd', 'search', { 'marks over MCP': { query: 'bright lantern' } }),
  ...calls('odd', 'fetch', {
    'a long text over MCP': { id: 'odd/papers:plain' },
    'a key of two lines over MCP': { id: 'odd/papers:two%0Alines' },
    'a key with a column over MCP': { id: 'odd/papers:%20a %7C column%20', fields: ['title', 'nested'] },
    'a very wide record over MCP': { id: 'odd/sheets:sheet-0' },
    'wide records related to one over MCP': { id: 'odd/papers:plain', fields: ['title'], expand: ['sheets'] },
    'a record by an address of a read': {
      id: 'http://localhost:7662/v1/streams/papers/records/plain?connection_id=odd',
      fields: ['title'],
    },
    'a record by a URI': { id: `pdpp://record/${handle(plain)}`, fields: ['title'] },
  }),
  ...calls('odd', 'read_record_field', {
    'bytes over MCP': { id: 'odd/papers:plain', field_path: 'photo' },
    'hidden characters over MCP': { id: 'odd/papers:plain', field_path: 'text', limit_chars: 60 },
    'hidden characters as they are over MCP': {
      id: 'odd/papers:plain',
      field_path: 'text',
      limit_chars: 60,
      exact: true,
    },
    'a place in a text over MCP': { id: 'odd/papers:plain', field_path: 'text', q: 'BRIGHT', before_chars: 5 },
    'a field by three names': { stream: 'papers', record_id: 'plain', connection_id: 'odd', field_path: 'title' },
    'an object in order over MCP': { id: 'odd/papers:%20a %7C column%20', field_path: 'nested', limit_chars: 60 },
  }),
  rpc('odd', 'a stream as a resource', 'resources/read', { uri: 'pdpp://stream/sheets' }),
  rpc('odd', 'a record as a resource', 'resources/read', { uri: 'pdpp://record/odd%2Fpapers%3Atwo%250Alines' }),
  rpc('odd', 'a window as a resource', 'resources/read', {
    uri: `pdpp://field-window/${handle({ ...plain, field_path: 'text', offset_chars: 2, limit_chars: 20 })}`,
  }),
  rpc(
    'odd',
    'a stream as a resource in the older era',
    'resources/read',
    { uri: 'pdpp://stream/sheets' },
    { era: '2025-11-25' },
  ),
]

export const oddRequests: readonly Request[] = [...rest, ...mcp]
