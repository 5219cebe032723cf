import { formatResultId, isToParent, PdppError, parseJson, parseResultId, referencedKey } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import type { Authority, ReadAuthority } from '../../grants/authority.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import { requestSignalOf } from '../../http/guards/request-signal.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { RequestSignal } from '../../lib/request-signal.ts'
import { expandable } from '../../records/expand/relation.ts'
import type { ScopedRecord } from '../../records/record-store.ts'
import { RecordUrls } from '../../records/record-url.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { sendBlob } from '../../routes/response/blob-response.ts'
import { labelOf } from '../../search/evidence/label.ts'
import { fileLinks } from '../frame/file-link.ts'
import { sendPage } from '../frame/send.ts'
import { type RelatedRecords, recordPage } from './page.ts'
import { authorityFor, resolveViewAs } from './view-as.ts'

const AROUND = { limit: 7, maxBytes: 500_000 }
const CHILD_BYTES = 500_000
const MAX_RELATIONS = 10

/** GET /r/{id}: the owner's page of a record or hit (point 25). With `as`, only what an agent can see. */
export function showRecord(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const { authority, as } = await resolveViewAs(context, c, new PageQuery(c).text('as'))
    const { scope, record, readAuthority } = await find(context, authority, c.req.param('id')!)
    const connection = await context.connections.require(subjectId, record.connectionId)
    const { display } = await context.sources.requireDeclaration(subjectId, scope.connectorKey)
    const sourceName = connection.displayName ?? connection.connectionId
    const around = await context.records.page(scope, { ...AROUND, around: record.key })
    const related = [
      ...(await parents(context, readAuthority, scope, record, sourceName)),
      ...(await children(
        context,
        readAuthority,
        scope,
        record,
        { sourceName, as: as?.id },
        requestSignalOf(c, context.requestMs, 'owner'),
      )),
    ]
    const source = { connection, name: display?.name ?? scope.connectorKey }
    return sendPage(
      c,
      recordPage({ pageSession: c.get('pageSession'), scope, record, source, as, around: around.rows, related }),
    )
  }
}

/** GET /r/{id}/file: downloads the file of a field, inline or a blob. Browsers must never show it as a page. */
export function downloadField(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { authority } = await resolveViewAs(context, c, query.text('as'))
    const { scope, record, readAuthority } = await find(context, authority, c.req.param('id')!)
    const path = query.text('path')
    if (path !== undefined) {
      const found = await context.blobs.ofRecord(readAuthority, scope, record.key, path)
      return sendBlob(c, found, { idleMs: context.requestMs, disposition: 'attachment' })
    }
    const field = query.text('field') ?? ''
    const schema = (scope.stream.schema['properties'] as Record<string, Record<string, unknown>> | undefined)?.[field]
    const value = (parseJson(record.json) as Record<string, unknown>)[field]
    if (schema?.['contentEncoding'] !== 'base64' || typeof value !== 'string')
      throw new PdppError('not_found', 'There is no file in that field.')
    return c.body(Buffer.from(value, 'base64'), 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${field.replace(/[^\w.-]/g, '_').slice(0, 60)}"`,
      'Content-Security-Policy': "default-src 'none'; sandbox",
    })
  }
}

async function find(context: Context, authority: Authority, id: string) {
  const { connectionId, stream, recordKey } = parseResultId(id)
  try {
    const readAuthority =
      connectionId === undefined ? singleAuthority(authority) : authorityFor(authority, connectionId)
    const scope = await context.records.scope(readAuthority, { stream, connectionId })
    const record = await context.records.find(scope, recordKey)
    // Limit the scope to the record's own connection, so that its neighbours come from there.
    const own = await context.records.scope(readAuthority, { stream, connectionId: record.connectionId })
    return { readAuthority, scope: own, record }
  } catch (error) {
    // The same message for people for every unknown part of the id.
    if (!(error instanceof PdppError) || error.status !== 404) throw error
    throw new PdppError('not_found', 'There is no such item. It may have been deleted since.')
  }
}

function singleAuthority(authority: Authority): ReadAuthority {
  if (authority.kind !== 'package') return authority
  throw new PdppError('not_found', 'There is no such item.')
}

interface WireChild {
  readonly id: string
  readonly stream: string
  readonly connection_id: string
  readonly data: Record<string, unknown>
}

/**
 * Related records by the relations that its own stream declares, read like `expand`. Omits records that the reader may
 * not see.
 */
async function children(
  context: Context,
  readAuthority: ReadAuthority,
  scope: ReadScope,
  record: ScopedRecord,
  { sourceName, as }: { sourceName: string; as: string | undefined },
  signal: RequestSignal,
): Promise<RelatedRecords[]> {
  const found: RelatedRecords[] = []
  for (const { relation } of expandable(scope.stream).slice(0, MAX_RELATIONS)) {
    const read = { stream: scope.stream.name, connectionId: record.connectionId }
    const { expansions } = await readOr(
      context.records.expandedScope(readAuthority, read, { names: [relation.name], limits: new Map() }),
      { scope, expansions: [] },
    )
    if (expansions.length === 0) continue
    const expanded = await context.records.expand(expansions, [record], CHILD_BYTES, new RecordUrls('', false), signal)
    const wire = (parseJson(expanded.addTo('{"object":"record"}', record)) as { expanded: Record<string, unknown> })
      .expanded
    const member = wire[relation.name] as WireChild | { data: WireChild[]; has_more: boolean } | null
    const list = member === null ? [] : 'has_more' in member ? member.data : [member]
    found.push({
      name: relation.name,
      hasMore: member !== null && 'has_more' in member && member.has_more,
      records: list.map((child) => {
        const id = formatResultId({ connectionId: child.connection_id, stream: child.stream, recordKey: child.id })
        const { related } = expansions[0]!
        return {
          id,
          label: labelOf(related, child.data, sourceName),
          files: fileLinks(related.stream, child.data, `/r/${encodeURIComponent(id)}`, as),
        }
      }),
    })
  }
  return found.filter(({ records }) => records.length > 0)
}

/** Parent records by the relations that other streams declare, unless its own stream declares the same relation. */
async function parents(
  context: Context,
  readAuthority: ReadAuthority,
  scope: ReadScope,
  record: ScopedRecord,
  sourceName: string,
): Promise<RelatedRecords[]> {
  const { connectionId } = record
  const data = parseJson(record.json) as Record<string, unknown>
  const { streams } = await context.sources.requireDeclaration(scope.subjectId, scope.connectorKey)
  const declaredParents = (scope.stream.relationships ?? []).filter(isToParent).map(({ stream }) => stream)
  const owners = streams
    .filter(({ name }) => !declaredParents.includes(name))
    .flatMap((stream) =>
      (stream.relationships ?? [])
        .filter((relation) => relation.stream === scope.stream.name && !isToParent(relation))
        .flatMap((relation) => {
          const key = referencedKey(data[relation.foreign_key])
          return key === undefined ? [] : [{ stream: stream.name, key }]
        }),
    )
  const found: RelatedRecords[] = []
  for (const { stream, key } of owners.slice(0, MAX_RELATIONS)) {
    const parent = await readOr(context.records.scope(readAuthority, { stream, connectionId }), undefined)
    const owner = parent && (await readOr(context.records.find(parent, key), undefined))
    if (!parent || !owner) continue
    const label = labelOf(parent, parseJson(owner.json) as Record<string, unknown>, sourceName)
    found.push({
      name: `in ${stream}`,
      hasMore: false,
      records: [{ id: formatResultId({ connectionId, stream, recordKey: key }), label, files: [] }],
    })
  }
  return found
}

/** Returns `instead` if the authority may not read it, as if it did not exist. */
async function readOr<T, U>(read: Promise<T>, instead: U): Promise<T | U> {
  try {
    return await read
  } catch (error) {
    if (error instanceof PdppError && error.status < 500) return instead
    throw error
  }
}
