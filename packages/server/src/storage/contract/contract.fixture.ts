import { parseJson, requireDeclaration, type SourceDeclaration, type StreamGrant } from '@pdpp/protocol'
import {
  declaration as declare,
  integer,
  key,
  searched,
  stream,
  text,
  time,
} from '../../../../../tests/fixtures/declaration.ts'
import type { ReadAuthority } from '../../grants/authority.ts'
import { enforce, type ReadRequest } from '../../grants/enforce.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { FieldCondition } from '../../records/filter.ts'
import type { RecordWrite } from '../../records/record-store.ts'
import type { Storage } from '../contract.ts'

/** A small source with one of everything that matters to a store. */
export const SUBJECT = 'owner_local'

const aggregations = {
  count_distinct: ['title', 'mood', 'score', 'odd "name"'],
  group_by: ['mood', 'score', 'done', 'on'],
  group_by_time: ['at', 'on'],
  min: ['score', 'weight', 'at', 'on'],
  max: ['score', 'weight', 'at', 'on'],
  sum: ['score', 'weight'],
}

export const declaration = requireDeclaration(
  declare('journal', {
    entries: stream(
      {
        id: key(),
        at: time(),
        title: searched(),
        mood: text(),
        score: integer(),
        secret: searched(),
        extra: { type: 'object' },
        weight: { type: 'number' },
        done: { type: 'boolean' },
        on: { type: 'string', format: 'date' },
        'odd "name"': text(),
        file: {
          type: ['object', 'null'],
          properties: { blob_id: { type: 'string' }, sha256: { type: 'string' } },
        },
      },
      {
        relationships: [{ name: 'comments', stream: 'comments', foreign_key: 'entry_id', cardinality: 'has_many' }],
        query: { range_filters: { score: ['gte'] }, aggregations },
      },
    ),
    comments: stream({ id: key(), entry_id: text(), at: time() }),
    events: stream({ id: key(), text: text() }, { semantics: 'append_only' }),
  }),
)

export async function seed(storage: Storage, connections: readonly string[] = ['home']): Promise<void> {
  await storage.sources.declare(SUBJECT, declaration)
  for (const connectionId of connections) {
    const connection = { connectionId, connectorKey: 'journal', displayName: undefined, createdAt: 1, updatedAt: 1 }
    await storage.connections.create(SUBJECT, connection)
  }
}

export const target = (connectionId = 'home', stream = 'entries') => ({
  subjectId: SUBJECT,
  connectorKey: 'journal',
  connectionId,
  stream,
})

export function upsert(members: Record<string, unknown>, emittedAt = 1000): RecordWrite {
  return { key: String(members['id']), emittedAt, data: { members } }
}

export const remove = (key: string, emittedAt = 2000): RecordWrite => ({ key, emittedAt, data: undefined })

const owner: ReadAuthority = { kind: 'owner', subjectId: SUBJECT }

/** A scope, made by `enforce` as in production. */
export function scopeFor(
  connections: readonly string[],
  granted?: Partial<StreamGrant>,
  request: ReadRequest = {},
  stream = 'entries',
): ReadScope {
  const source = { declaration, connections }
  if (!granted) return enforce(owner, source, stream, request)
  const fields = granted.fields ?? ['id', 'at', 'title']
  const streamGrant = { name: stream, instance_ids: [...connections], ...granted, fields }
  return enforce(clientOf(declaration, streamGrant), source, stream, request)
}

export function clientOf({ source, connector_key }: SourceDeclaration, stream: StreamGrant): ReadAuthority {
  return {
    kind: 'client',
    subjectId: SUBJECT,
    clientId: 'cli_test',
    grant: {
      version: '0.1.0',
      grant_id: 'grt_test',
      issued_at: '2026-01-01T00:00:00Z',
      subject: { id: SUBJECT },
      client: { client_id: 'cli_test' },
      source: { ...source, connector_key },
      source_declaration: { version: '1' },
      purpose_code: 'https://pdpp.dev/purpose/agent_context',
      access_mode: 'continuous',
      streams: [stream],
      expires_at: null,
    },
  }
}

export const dataOf = (record: { json: string }): Record<string, unknown> =>
  parseJson(record.json) as Record<string, unknown>

/** The keys of all records in a scope, read page by page. */
export async function readAllKeys(
  storage: Storage,
  scope: ReadScope,
  sort: string | undefined,
  order: 'asc' | 'desc',
  limit = 3,
  conditions: readonly FieldCondition[] = [],
) {
  const keys: string[] = []
  let after: Parameters<Storage['records']['page']>[1]['after']
  for (let pages = 0; pages < 500; pages++) {
    const page = await storage.records.page(scope, { sort, order, after, limit, conditions, maxBytes: 1e9 })
    keys.push(...page.records.map((record) => `${record.connectionId}/${record.key}`))
    if (!page.hasMore) return keys
    after = page.records.at(-1)!.position
  }
  throw new Error('Paging does not end.')
}
