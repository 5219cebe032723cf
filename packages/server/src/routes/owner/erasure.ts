import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { HttpEnvironment } from '../environment.ts'
import { parsedBody } from './body.ts'

const schema = z.strictObject({
  connection_id: z.string(),
  stream: z.string().optional(),
  record_id: z.string().optional(),
})

/** Places where a PostgreSQL server may still contain erased data. This server cannot erase it there. */
const REMAINS = [
  'dead rows in the database files, until PostgreSQL vacuums its tables and uses the space again',
  'the write-ahead log and its archives',
  'replicas that have not caught up',
  'backups of the database',
]

/** POST /v1/owner/erase: answers after the data is gone from the files, too, or lists where it may remain. */
export function erase(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { connection_id: connectionId, stream, record_id: recordKey } = await parsedBody(c, schema)
    if (recordKey !== undefined && stream === undefined)
      throw new PdppError('invalid_request', 'Name the stream of the record as well.', { param: 'stream' })
    const { records, reach } = await context.erasure.erase(c.get('authority').subjectId, {
      connectionId,
      stream,
      recordKey,
    })
    return c.json({
      object: 'erased',
      connection_id: connectionId,
      stream: stream ?? null,
      record_id: recordKey ?? null,
      records_erased: records,
      ...(reach === 'files' ? {} : { remains: REMAINS }),
    })
  }
}
