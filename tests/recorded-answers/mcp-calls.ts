// The six tools at POST /mcp, in both protocol eras.
import { calls, http, type Request, rpc } from './request.ts'

const legacy = { era: '2025-11-25' } as const
const client = { capabilities: {}, clientInfo: { name: 'host', version: '1' } }

const protocol: Request[] = [
  rpc('everything', 'discover', 'server/discover'),
  rpc('everything', 'the tools', 'tools/list'),
  rpc('everything', 'the resources', 'resources/list'),
  rpc('everything', 'the templates of resources', 'resources/templates/list'),
  rpc('everything', 'initialize', 'initialize', { protocolVersion: '2025-11-25', ...client }, legacy),
  rpc(
    'everything',
    'initialize with an older revision',
    'initialize',
    { protocolVersion: '2025-03-26', ...client },
    legacy,
  ),
  rpc('everything', 'the tools in the older era', 'tools/list', {}, legacy),
  rpc('everything', 'the resources in the older era', 'resources/list', {}, legacy),
  rpc('everything', 'a ping', 'ping', {}, legacy),
  http('everything', 'a notification', '/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
  }),
]

const schema: Request[] = [
  ...calls('everything', 'schema', {
    'the index': {},
    'a stream of three sources': { stream: 'messages' },
    'a stream of one source': { stream: 'events' },
    'a stream in full': { stream: 'orders', detail: 'full' },
    'the index of a connection': { connection_id: 'mail-work' },
    'a stream of a connection': { stream: 'messages', connection_id: 'mail-personal' },
    'the later fields of a stream': { stream: 'notes', fields_offset: 3 },
  }),
  ...calls('chat', 'schema', { 'the index of few fields': {}, 'a stream of few fields': { stream: 'messages' } }),
  ...calls('september', 'schema', { 'a stream of a month': { stream: 'messages' } }),
  ...calls('partial', 'schema', { 'the index without what ended': {} }),
  ...calls('chat', 'schema', { 'the index in the older era': {} }, legacy),
]

const records: Request[] = [
  ...calls('chat', 'query_records', {
    'a page': { stream: 'messages', limit: 3 },
    'the page after it': { stream: 'messages', limit: 3, cursor: '{next_cursor of a page}' },
    'a channel in some days': {
      stream: 'messages',
      limit: 2,
      filter: { channel: 'running', sent_at: { gte: '2026-02-01', lt: '2026-03-01' } },
    },
    'one field, oldest first': { stream: 'messages', limit: 2, fields: ['text'], sort: 'sent_at' },
    'a page with a count': { stream: 'messages', limit: 1, count: 'exact' },
    'the records around one': { stream: 'messages', limit: 3, around: 'chat/messages:cm_a3c32gsab4' },
    'a bookmark': { stream: 'messages', changes_since: 'now' },
    'changes from the beginning': { stream: 'messages', changes_since: 'beginning', limit: 2 },
    'nothing that fits': { stream: 'messages', filter: { author: 'Nobody' } },
    'as many as fit': { stream: 'messages', limit: 1000 },
  }),
  ...calls('everything', 'query_records', {
    'a page of a connection': { stream: 'plays', connection_id: 'music', limit: 2 },
    'mails with attachments': {
      stream: 'messages',
      connection_id: 'mail-work',
      limit: 2,
      filter: { has_attachments: true },
      fields: ['subject'],
      expand: ['attachments'],
    },
    'orders with one item': {
      stream: 'orders',
      connection_id: 'purchases',
      limit: 2,
      expand: ['items'],
      expand_limit: { items: 1 },
    },
    'a view': { stream: 'events', connection_id: 'calendar', limit: 2, view: 'summary' },
    'by size': { stream: 'messages', connection_id: 'mail-work', limit: 2, sort: '-size_bytes', fields: ['subject'] },
    'a record that is too large': { stream: 'notes', connection_id: 'notes', filter: { title: 'Server log paste' } },
    'an incident': {
      stream: 'messages',
      connection_id: 'mail-work',
      filter: { id: 'msg_6t9zxmhz3p' },
    },
    files: { stream: 'attachments', connection_id: 'mail-work', limit: 2 },
  }),
  ...calls('september', 'query_records', {
    'two connections on one page': { stream: 'messages', limit: 3, fields: ['subject'] },
    'a time that is narrowed': { stream: 'messages', limit: 1, filter: { sent_at: { gte: '2026-08-15' } } },
  }),
  ...calls('chat', 'query_records', { 'a page in the older era': { stream: 'messages', limit: 2 } }, legacy),
]

const orders = { stream: 'orders', connection_id: 'purchases' }
const plays = { stream: 'plays', connection_id: 'music' }
const sums: Request[] = [
  ...calls('everything', 'aggregate', {
    'a count': { ...plays, metric: 'count' },
    'a sum by field': { ...orders, metric: 'sum', field: 'total_cents', group_by: 'category', limit: 3 },
    'a count by month of a zone': {
      ...plays,
      metric: 'count',
      group_by_time: 'played_at',
      granularity: 'month',
      time_zone: 'Europe/Berlin',
      limit: 3,
    },
    'a time that the server cuts': { ...plays, metric: 'count', group_by_time: 'played_at', limit: 3 },
    'a sum of some': { ...orders, metric: 'sum', field: 'total_cents', filter: { category: 'books' } },
    'more groups than fit': { ...plays, metric: 'count', group_by: ['artist', 'album'], limit: 100 },
    'a sum of nothing': { ...orders, metric: 'sum', field: 'total_cents', filter: { category: 'spaceships' } },
  }),
  ...calls('everything', 'aggregate', { 'a count in the older era': { ...plays, metric: 'count' } }, legacy),
]

const searches: Request[] = [
  ...calls('everything', 'search', {
    'one word': { query: 'lighthouse', limit: 3 },
    'the second page': { query: 'lighthouse', limit: 3, cursor: '{next_cursor of one word}' },
    'a question': { query: 'Where did Tomasz run with hills?', limit: 3 },
    'a phrase': { query: '"poppy seed"', limit: 3 },
    'between two times': { query: 'gull', since: '2026-02-10', until: '2026-02-12', limit: 2 },
    'one connection and one stream': { query: 'gull', connection_id: 'mail-work', streams: ['threads'], limit: 2 },
    'a filter': {
      query: 'gull',
      connection_id: 'chat',
      streams: ['messages'],
      filter: { channel: 'random' },
      limit: 2,
    },
    'a word that nobody wrote': { query: 'xylophonist' },
    'an exact count': { query: 'ferry', count: 'exact', limit: 1 },
    'no count': { query: 'ferry', count: 'none', limit: 1 },
    'a query as q': { q: 'ferry', limit: 1 },
    'words that no record has together': { query: 'worktop cormorants percebes', limit: 2 },
    'streams as one text': { query: 'ferry', streams: '["notes","events"]', limit: 1 },
    'other scripts': { query: '灯台', limit: 2 },
    'as many hits as fit': { query: 'gull', limit: 100 },
  }),
  ...calls('chat', 'search', { 'few fields': { query: 'hills sleet', limit: 2 } }),
  ...calls('partial', 'search', { 'without what ended': { query: 'night', limit: 2 } }),
  ...calls('everything', 'search', { 'one word in the older era': { query: 'lighthouse', limit: 2 } }, legacy),
]

const play = 'music/plays:["2026-10-31T21:05:02Z","شراع"]'
const log = 'notes/notes:Work%2FIncidents%2FServer log paste'
const documents: Request[] = [
  ...calls('everything', 'fetch', {
    'a message': { id: 'chat/messages:cm_a3c32gsab4' },
    'a message by its address': { id: 'http://localhost:7662/r/chat%2Fmessages%3Acm_a3c32gsab4' },
    'a mail with all that belongs to it': {
      id: 'mail-work/messages:msg_7vrkrcrcqc',
      expand: ['attachments', 'thread'],
    },
    'some fields of a mail': { id: 'mail-work/messages:msg_7vrkrcrcqc', fields: ['subject', 'from_name'] },
    'a play': { id: play },
    'a very long note': { id: log },
    'a file with much beside it': { id: 'mail-work/attachments:att_8rrxuhaty4' },
    'a picture': { id: 'mail-work/attachments:att_6389nm686g' },
    'an order with its items': { id: 'purchases/orders:ord_5jrcgd7wwr', expand: ['items'] },
  }),
  ...calls('chat', 'fetch', { 'few fields of a message': { id: 'messages:cm_a3c32gsab4', connection_id: 'chat' } }),
  ...calls('everything', 'fetch', { 'a message in the older era': { id: 'chat/messages:cm_a3c32gsab4' } }, legacy),
  ...calls('everything', 'read_record_field', {
    'a field': { id: 'chat/messages:cm_a3c32gsab4', field_path: 'text' },
    'the beginning of a field': { id: log, field_path: 'body', limit_chars: 200 },
    'the middle of a field': { id: log, field_path: 'body', offset_chars: 500_000, limit_chars: 200 },
    'a part around a word': { id: log, field_path: 'body', q: 'lamp sensor', before_chars: 50, after_chars: 50 },
    'as much as fits': { id: log, field_path: 'body', limit_chars: 5000 },
    'a file of text': { id: 'mail-work/attachments:att_xxp5xtpmeq', field_path: 'blob_ref' },
    'a file that is a picture': { id: 'mail-work/attachments:att_6389nm686g', field_path: 'blob_ref' },
    'a file with its text': { id: 'mail-work/attachments:att_fs8x9v2sqc', field_path: 'blob_ref' },
    'a field that is an object': {
      id: 'mail-work/attachments:att_8rrxuhaty4',
      field_path: 'metadata',
      limit_chars: 100,
    },
  }),
  ...calls(
    'everything',
    'read_record_field',
    { 'a field in the older era': { id: 'chat/messages:cm_a3c32gsab4', field_path: 'text' } },
    legacy,
  ),
]

export const mcpCalls: readonly Request[] = [...protocol, ...schema, ...records, ...sums, ...searches, ...documents]
