// Schema, streams, records, windows into fields, and sums.
import { gets, http, type Request } from './request.ts'

const schema: Request[] = [
  ...gets('everything', {
    'the index of everything': '/v1/schema?view=compact',
    'a stream that three sources have': '/v1/schema?view=compact&stream=messages',
    'a stream that one source has': '/v1/schema?stream=channels',
    'a stream in full': '/v1/schema?stream=orders&detail=full',
    'a stream of one connection in full': '/v1/schema?stream=messages&detail=full&connection_id=mail-work',
    'the later fields of a stream': '/v1/schema?view=compact&stream=notes&fields_offset=3',
    'the index of one source': '/v1/schema?view=compact&connector_id=mail',
    'the index of one connection': '/v1/schema?view=compact&connection_id=mail-work',
  }),
  http('everything', 'what the token is, and no more', '/v1/schema', { headers: { prefer: 'return=minimal' } }),
  http('everything', 'the relations of a stream alone', '/v1/schema?stream=messages', {
    headers: { prefer: 'relations-only' },
  }),
  ...gets('chat', {
    'the schema of few fields': '/v1/schema',
    'the index of few fields': '/v1/schema?view=compact',
    'a stream of few fields': '/v1/schema?view=compact&stream=messages',
  }),
  ...gets('work mail', { 'relations whose key is hidden': '/v1/schema?view=compact&stream=attachments' }),
  ...gets('september', {
    'the index of a month': '/v1/schema?view=compact',
    'a stream of a month': '/v1/schema?view=compact&stream=messages',
  }),
  ...gets('two notes', { 'a stream of two records': '/v1/schema?view=compact&stream=notes' }),

  ...gets('partial', {
    'the schema without what ended': '/v1/schema',
    'the index without what ended': '/v1/schema?view=compact',
  }),
  ...gets('narrowed', { 'the index of what is left': '/v1/schema?view=compact&stream=orders' }),
  ...gets('owner', {
    'the index for the owner': '/v1/schema?view=compact',
    'a stream for the owner': '/v1/schema?view=compact&stream=plays',
  }),
  http('owner', 'what a token of the owner is', '/v1/schema', { headers: { prefer: 'return=minimal' } }),
  http('owner', 'relations for the owner', '/v1/schema?stream=threads', { headers: { prefer: 'relations-only' } }),
]

const streams: Request[] = [
  ...gets('everything', {
    'all streams': '/v1/streams',
    'the streams of a connection': '/v1/streams?connection_id=chat',
    'the streams of a source': '/v1/streams?connector_id=mail',
    'one stream': '/v1/streams/orders',
    'one stream of a connection': '/v1/streams/threads?connection_id=mail-work',
    'all sources': '/v1/connectors',
  }),
  ...gets('chat', { 'the source of few fields': '/v1/connectors' }),
  ...gets('september', { 'the streams of a month': '/v1/streams' }),
  ...gets('partial', { 'the streams without what ended': '/v1/streams' }),
  ...gets('owner', { 'all streams for the owner': '/v1/streams', 'one stream for the owner': '/v1/streams/channels' }),
]

const chat = '/v1/streams/messages/records'
const mail = '/v1/streams/messages/records?connection_id=mail-work'
const plays = '/v1/streams/plays/records?connection_id=music'
const notes = '/v1/streams/notes/records?connection_id=notes'
const orders = '/v1/streams/orders/records?connection_id=purchases'

const pages: Request[] = [
  ...gets('chat', {
    'a page': `${chat}?limit=2`,
    'the page after it': `${chat}?limit=2&cursor={next_cursor of a page}`,
    'a longer page after it': `${chat}?limit=3&cursor={next_cursor of a page}`,
    'the oldest first': `${chat}?limit=2&order=asc`,
    'sorted by time': `${chat}?limit=2&sort=sent_at`,
    'sorted by time, newest first': `${chat}?limit=2&sort=-sent_at`,
    'sorted in words': `${chat}?limit=2&sort=sent_at%20desc`,
    'one field': `${chat}?limit=2&fields=text`,
    'fields given twice': `${chat}?limit=2&fields=text&fields=author`,
    'a view': `${chat}?limit=2&view=summary`,
    'a channel': `${chat}?limit=2&filter[channel]=running`,
    'the page after it in the channel': `${chat}?limit=2&filter[channel]=running&cursor={next_cursor of a channel}`,
    'a channel in some days': `${chat}?limit=2&filter[channel]=running&filter[sent_at][gte]=2026-02-01&filter[sent_at][lt]=2026-03-01`,
    'nothing that fits': `${chat}?filter[author]=Nobody`,
    'a page without addresses': `${chat}?limit=2&urls=false`,
    'a page with a count': `${chat}?limit=1&count=exact`,
    'a page with an estimate': `${chat}?limit=1&count=estimated&filter[author]=gull-bot`,
    'more than a page may have': `${chat}?limit=1000&max_bytes=1024`,
    'the records around one': `${chat}?around=cm_a3c32gsab4&limit=3`,
    'what came after those': `${chat}?limit=2&cursor={next_cursor of the records around one}`,
    'what came before those': `${chat}?limit=2&cursor={previous_cursor of the records around one}`,
    'the records around one, newest first': `${chat}?around=cm_a3c32gsab4&limit=3&order=desc`,
    'a bookmark': `${chat}?changes_since=now`,
    'nothing new since the bookmark': `${chat}?changes_since={next_changes_since of a bookmark}`,
    'changes from the beginning': `${chat}?changes_since=beginning&limit=2`,
    'the changes after those': `${chat}?changes_since=beginning&limit=2&cursor={next_cursor of changes from the beginning}`,
    'a page within bytes': `${chat}?max_bytes=1500`,
    'a page for a tool result': `${chat}?result_bytes=4096&limit=100`,
    'the older name of a connection': `${chat}?connector_instance_id=chat&limit=1`,
  }),
  ...gets('everything', {
    'a page of one connection': `${chat}?connection_id=chat&limit=2`,
    'large numbers': `${chat}?connection_id=chat&limit=1&filter[provider_message_id][gte]=1&fields=provider_message_id`,
    'true or false': `${chat}?connection_id=chat&limit=1&filter[edited]=true`,
    'mails with attachments': `${mail}&limit=2&filter[has_attachments]=true&expand=attachments&fields=subject`,
    'mails with their thread': `${mail}&limit=2&expand=thread&fields=subject`,
    'mails with two relations': `${mail}&limit=1&expand=thread,attachments&fields=subject`,
    'mails by size': `${mail}&limit=2&sort=-size_bytes&fields=subject,size_bytes`,
    'an incident': `${mail}&limit=1&filter[id]=msg_6t9zxmhz3p`,
    'another view': `${mail}&limit=1&view=headers`,
    'a file with much beside it':
      '/v1/streams/attachments/records?connection_id=mail-work&filter[media_type]=application/json',
    'files as they are described': '/v1/streams/attachments/records?connection_id=mail-work&limit=2&binary=described',
    'keys of two parts': `${plays}&limit=2`,
    'plays by length': `${plays}&limit=2&sort=-duration_ms&fields=track,duration_ms`,
    'plays that are long': `${plays}&limit=1&filter[duration_ms][gt]=300000&count=exact`,
    'orders with their items': `${orders}&limit=2&expand=items`,
    'orders with one item': `${orders}&limit=2&expand=items&expand_limit[items]=1`,
    'items with their order': '/v1/streams/items/records?connection_id=purchases&limit=2&expand=order',
    'a record that is too large for its page': `${notes}&filter[title]=Server%20log%20paste&max_bytes=1024`,
    'a long record for a tool result': `${notes}&filter[title]=Server%20log%20paste&result_bytes=4096`,
    'members with messages':
      '/v1/streams/members/records?connection_id=chat&limit=1&expand=messages&expand_limit[messages]=2',
  }),
  ...gets('september', {
    'two connections on one page': `${chat}?limit=3&fields=subject`,
    'the page after both': `${chat}?limit=3&fields=subject&cursor={next_cursor of two connections on one page}`,
    'one of the two connections': `${chat}?limit=2&fields=subject&connection_id=mail-personal`,
    'a time that is narrowed': `${chat}?limit=1&fields=subject&filter[sent_at][gte]=2026-08-15`,
    'a month by count': `${chat}?limit=1&fields=subject&count=exact`,
  }),
  ...gets('two notes', { 'two notes alone': '/v1/streams/notes/records?fields=title,folder' }),
  ...gets('narrowed', { 'what is left of orders': '/v1/streams/orders/records?limit=1' }),
  ...gets('pair', { 'one of a pair': `${notes}&limit=1&fields=title` }),
  ...gets('owner', {
    'a page for the owner': '/v1/streams/plays/records?limit=1',
    'a page of a source for the owner': `${chat}?connector_id=mail&limit=2&fields=subject`,
  }),
]

const log = '/v1/streams/notes/records/Work%2FIncidents%2FServer%20log%20paste'
const singles: Request[] = [
  ...gets('chat', {
    'a record': `${chat}/cm_a3c32gsab4`,
    'a field of a record': `${chat}/cm_a3c32gsab4?fields=text`,
    'a record with its label': `${chat}/cm_a3c32gsab4?label=true`,
    'a record in a view': `${chat}/cm_a3c32gsab4?view=summary`,
  }),
  ...gets('everything', {
    'a mail with all that belongs to it': `${chat}/msg_7vrkrcrcqc?connection_id=mail-work&expand=attachments&expand=thread&label=true`,
    'a play': `/v1/streams/plays/records/${encodeURIComponent('["2026-10-31T21:05:02Z","شراع"]')}?connection_id=music&label=true`,
    'an item': `/v1/streams/items/records/${encodeURIComponent('["ord_5jrcgd7wwr","2"]')}?connection_id=purchases&expand=order`,
    'a very long note': `${log}?connection_id=notes&max_bytes=1024`,
    'the beginning of a very long note': `${log}?connection_id=notes&max_bytes=1024&long_field_chars=300`,
    'the deep part of a file': `/v1/streams/attachments/records/att_8rrxuhaty4?connection_id=mail-work&max_bytes=1500`,
    'a picture': '/v1/streams/attachments/records/att_6389nm686g?connection_id=mail-work',
  }),
  ...gets('september', { 'a record of one of two connections': `${chat}/msg_fsm393ras3?fields=subject` }),
  http('chat', 'the head of a record', `${chat}/cm_a3c32gsab4`, { method: 'HEAD' }),
]

const text = `${chat}/cm_a3c32gsab4/field-window?field=text`
const body = `${log}/field-window?connection_id=notes&field=body`
const file = (id: string) => `/v1/streams/attachments/records/${id}/field-window?connection_id=mail-work`
const windows: Request[] = [
  ...gets('chat', { 'a whole field': text, 'a window around a word': `${text}&q=HILLS&before_chars=6&after_chars=9` }),
  ...gets('everything', {
    'the beginning of a field': `${body}&limit_chars=200`,
    'the middle of a field': `${body}&offset_chars=500000&limit_chars=200`,
    'the end of a field': `${body}&offset_chars=999950&limit_chars=200`,
    'a window for a tool result': `${body}&limit_chars=16384&result_bytes=4096`,
    'a word far inside': `${body}&q=lamp%20sensor&limit_chars=300`,
    'a file of text': `${file('att_xxp5xtpmeq')}&field=blob_ref`,
    'a file that is a picture': `${file('att_6389nm686g')}&field=blob_ref`,
    'a file with its text': `${file('att_fs8x9v2sqc')}&field=blob_ref`,
    'a field that is an object': `${file('att_8rrxuhaty4')}&field=metadata&limit_chars=100`,
    'a field that is a list': `${chat}/msg_7vrkrcrcqc/field-window?connection_id=mail-work&field=to`,
    'a field that is a number': `${chat}/msg_7vrkrcrcqc/field-window?connection_id=mail-work&field=size_bytes`,
  }),
]

const sum = (stream: string, connection: string, rest: string) =>
  `/v1/streams/${stream}/aggregate?connection_id=${connection}&${rest}`
const sums: Request[] = [
  ...gets('everything', {
    'a count': sum('plays', 'music', 'metric=count'),
    'a sum': sum('orders', 'purchases', 'metric=sum&field=total_cents'),
    'an average': sum('orders', 'purchases', 'metric=avg&field=total_cents'),
    'the least': sum('orders', 'purchases', 'metric=min&field=ordered_at'),
    'the most': sum('plays', 'music', 'metric=max&field=duration_ms'),
    'how many different ones': sum('plays', 'music', 'metric=count_distinct&field=artist'),
    'a count by field': sum('plays', 'music', 'metric=count&group_by=artist&limit=3'),
    'a sum by field': sum('orders', 'purchases', 'metric=sum&field=total_cents&group_by=category&limit=3'),
    'a count by two fields': sum('orders', 'purchases', 'metric=count&group_by=category,status&limit=4'),
    'a count by month': sum('plays', 'music', 'metric=count&group_by_time=played_at&granularity=month&limit=3'),
    'a count by month of a zone': sum(
      'plays',
      'music',
      'metric=count&group_by_time=played_at&granularity=month&time_zone=Europe/Berlin&order=asc&limit=3',
    ),
    'a count by week and field': sum(
      'plays',
      'music',
      'metric=count&group_by_time=played_at&granularity=week&group_by=artist&limit=3',
    ),
    'a time that the server cuts': sum('plays', 'music', 'metric=count&group_by_time=played_at&limit=3'),
    'a sum of some': sum(
      'orders',
      'purchases',
      'metric=sum&field=total_cents&filter[category]=books&filter[ordered_at][gte]=2026-01-01',
    ),
    'a sum of nothing': sum('orders', 'purchases', 'metric=sum&field=total_cents&filter[category]=spaceships'),
    'more groups than there may be': sum('orders', 'purchases', 'metric=count&group_by=status&limit=1000'),
  }),
  ...gets('september', {
    'a count over two connections': '/v1/streams/messages/aggregate?metric=count&group_by=folder&limit=3',
    'a count by day of a month': '/v1/streams/messages/aggregate?metric=count&group_by_time=sent_at&limit=2',
  }),
]

const pdf = '/v1/blobs/blob_f3e5f3f9aa5c6b8694b11f5d1b726b584bd10138fcbf7a04579841e841ed0caa?connection_id=mail-work'
const hash = 'f3e5f3f9aa5c6b8694b11f5d1b726b584bd10138fcbf7a04579841e841ed0caa'
const csv = '/v1/blobs/blob_c185ec70d0edada9067103a6d371e138dfaae71d2432fa151cf395264ca256a0?connection_id=mail-work'
const blobs: Request[] = [
  http('everything', 'a blob', pdf),
  http('everything', 'a blob of text', csv),
  http('everything', 'the head of a blob', pdf, { method: 'HEAD' }),
  http('everything', 'a part of a blob', pdf, { headers: { range: 'bytes=0-9' } }),
  http('everything', 'the last bytes of a blob', pdf, { headers: { range: 'bytes=-5' } }),
  http('everything', 'a part of the blob that it was', pdf, { headers: { range: 'bytes=0-9', 'if-range': '"other"' } }),
  http('everything', 'a blob that the caller has', pdf, { headers: { 'if-none-match': `"${hash}"` } }),
  http('owner', 'a blob for the owner', csv),
]

export const restReads: readonly Request[] = [
  ...schema,
  ...streams,
  ...pages,
  ...singles,
  ...windows,
  ...sums,
  ...blobs,
]
