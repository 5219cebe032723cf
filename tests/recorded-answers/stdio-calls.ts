// The adapter as a local process: the tools once each, and what it refuses.
import { calls, type Request, rpc } from './request.ts'

export const stdioCalls: readonly Request[] = [
  rpc('everything', 'discover', 'server/discover'),
  rpc('everything', 'the tools', 'tools/list'),
  ...calls('everything', 'schema', { 'the index': {}, 'a stream': { stream: 'events' } }),
  ...calls('everything', 'query_records', {
    'a page': { stream: 'plays', connection_id: 'music', limit: 2 },
    'the page after it': { stream: 'plays', connection_id: 'music', limit: 2, cursor: '{next_cursor of a page}' },
    'no connection where there are many': { stream: 'messages' },
    'an unknown field': { stream: 'plays', connection_id: 'music', fields: ['colour'] },
  }),
  ...calls('everything', 'aggregate', {
    'a sum': { stream: 'orders', connection_id: 'purchases', metric: 'sum', field: 'total_cents' },
  }),
  ...calls('everything', 'search', { 'one word': { query: 'lighthouse', limit: 2 } }),
  ...calls('everything', 'fetch', {
    'a mail': { id: 'mail-work/messages:msg_7vrkrcrcqc', expand: ['attachments'] },
    'a mail that is not there': { id: 'mail-work/messages:msg_nothing' },
  }),
  ...calls('everything', 'read_record_field', {
    'a field': { id: 'chat/messages:cm_a3c32gsab4', field_path: 'text' },
    'a file of text': { id: 'mail-work/attachments:att_xxp5xtpmeq', field_path: 'blob_ref' },
  }),
  ...calls('everything', 'planets', { 'an unknown tool': {} }),
]
