// The second server, at POST /mcp/developer: its tools for streams and files, and that the others are the same.
import { calls, http, type Request, rpc } from './request.ts'

const place = { path: '/mcp/developer' } as const
const legacy = { ...place, era: '2025-11-25' } as const
const csv = 'blob_c185ec70d0edada9067103a6d371e138dfaae71d2432fa151cf395264ca256a0'
const pdf = 'blob_f3e5f3f9aa5c6b8694b11f5d1b726b584bd10138fcbf7a04579841e841ed0caa'
const png = 'blob_f6626a30104b022185bd9fa02baf6a95e9782bb3c2717a5815052049d9a253e6'

export const developerCalls: readonly Request[] = [
  rpc('everything', 'discover', 'server/discover', {}, place),
  rpc('everything', 'the tools', 'tools/list', {}, place),
  rpc(
    'everything',
    'initialize',
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
    legacy,
  ),
  ...calls(
    'everything',
    'list_streams',
    {
      'all streams': {},
      'the streams of a connection': { connection_id: 'mail-work' },
      'the later streams': { offset: 10 },
      'streams beyond the end': { offset: 1000 },
      'the streams of an unknown connection': { connection_id: 'nowhere' },
    },
    place,
  ),
  ...calls('chat', 'list_streams', { 'one stream': {}, 'an unknown argument': { stream: 'messages' } }, place),
  ...calls('september', 'list_streams', { 'the streams of a month': {} }, place),
  ...calls('partial', 'list_streams', { 'the streams without what ended': {} }, place),
  ...calls('chat', 'list_streams', { 'one stream in the older era': {} }, legacy),
  ...calls(
    'everything',
    'fetch_blob',
    {
      'a file of text': { blob_id: csv },
      'a file by its address': { blob_id: `/v1/blobs/${csv}?connection_id=mail-work` },
      'a part of a file': { blob_id: csv, connection_id: 'mail-work', offset_bytes: 20, limit_bytes: 30 },
      'a picture': { blob_id: png, connection_id: 'mail-work' },
      'another file': { blob_id: pdf, connection_id: 'mail-work' },
      'a file that is too large': { blob_id: png, connection_id: 'mail-work', limit_bytes: 1000 },
      'a file that is not there': { blob_id: `blob_${'0'.repeat(64)}` },
      'an address of another server': { blob_id: `https://other.example/v1/blobs/${csv}` },
      'a file beyond its end': { blob_id: csv, connection_id: 'mail-work', offset_bytes: 5000 },
      'no file': {},
    },
    place,
  ),
  ...calls('work mail', 'fetch_blob', { 'a hidden file': { blob_id: csv } }, place),
  ...calls('chat', 'search', { 'a search': { query: 'hills sleet', limit: 1 } }, place),
  ...calls('chat', 'query_records', { 'a hidden field': { stream: 'messages', fields: ['reactions'] } }, place),
  rpc('nobody', 'no token', 'tools/list', {}, place),
  rpc('owner', 'a token of the owner', 'tools/list', {}, place),
  ...calls('revoked', 'list_streams', { 'a revoked grant': {} }, place),
  http('everything', 'a get', '/mcp/developer'),
]
