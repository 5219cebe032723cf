import { PdppError, parseInstant, parseResultId } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { Query } from '../request/query.ts'

const PARAMETERS = ['limit', 'cursor', 'client_id', 'grant_id', 'stream', 'record', 'since', 'until']

/**
 * GET /v1/owner/receipts: lists what each client read, newest first. With `record`, a result id, lists who has read
 * that record.
 */
export function listReceipts(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new Query(c.req.url, PARAMETERS)
    const { subjectId } = c.get('authority')
    const record = query.text('record')
    const page = await context.receipts.list(subjectId, {
      limit: query.limit,
      before: query.integer('cursor', { min: 1 }),
      clientId: query.text('client_id'),
      grantId: query.text('grant_id'),
      stream: query.text('stream'),
      since: time(query, 'since'),
      until: time(query, 'until'),
      record: record === undefined ? undefined : await recordOf(context, subjectId, record),
    })
    const next = page.next === undefined ? {} : { next_cursor: String(page.next) }
    return c.json({
      object: 'list',
      has_more: page.next !== undefined,
      ...next,
      meta: { warnings: query.warnings },
      data: page.receipts,
    })
  }
}

async function recordOf(context: Context, subjectId: string, text: string) {
  const { connectionId, stream, recordKey } = parseResultId(text)
  if (connectionId === undefined) {
    throw new PdppError('invalid_argument', 'record must name its connection: connection_id/stream:record_key.', {
      param: 'record',
    })
  }
  const { connectorKey } = await context.connections.require(subjectId, connectionId)
  return { connectorKey, stream, key: recordKey, connectionId }
}

function time(query: Query, name: string): number | undefined {
  const text = query.text(name)
  if (text === undefined) return
  const micros = parseInstant(text)
  if (micros !== undefined) return Math.floor(micros / 1000)
  throw new PdppError('invalid_argument', `${name} must be a date or an RFC 3339 date-time.`, { param: name })
}
