import { isName } from '@pdpp/protocol'
import { accessIdOf, type ClientAuthority, grantedConnections, type PackageAuthority } from '../../grants/authority.ts'
import { usableNames } from '../../grants/enforce.ts'
import type { ReadScope } from '../../grants/read-scope.ts'
import type { Disclosure, Receipt } from '../../receipts/receipt-store.ts'
import type { Http } from '../environment.ts'

type Reader = Pick<Receipt, 'operation' | 'subjectId' | 'clientId'>
type Client = ClientAuthority | PackageAuthority

const NOTHING = { connectorKey: undefined, stream: undefined, connections: [], fields: [], records: [] }

/** Names that our own programs send in the PDPP-Surface header: labels for the owner. No decision depends on them. */
const LABELS = ['stdio', 'stdio-developer', 'cli']

/** The surface that a read came from. Only in-process callers can claim /mcp or /mcp/developer. */
function surfaceOf(c: Http): string {
  if (c.env?.pdppSurface) return c.env.pdppSurface
  const label = c.req.header('pdpp-surface')
  return label !== undefined && LABELS.includes(label) ? label : 'rest'
}

export function refusal(c: Http, reader: Reader, accessId: string, outcome: string): Receipt {
  const stream = c.req.param('stream')
  return {
    ...occasion(c, reader),
    ...NOTHING,
    grantId: accessId,
    stream: stream !== undefined && isName(stream) ? stream : undefined,
    bytes: 0,
    outcome,
  }
}

/** A refusal inside a package is recorded for the member grant it was about, or for the package if that is unknown. */
export function refusedAccessId(c: Http, authority: Client): string {
  if (authority.kind === 'client') return authority.grant.grant_id
  const { grantsRead } = c.var
  if (grantsRead?.length === 1) return grantsRead[0]!
  const connection = c.req.query('connection_id') ?? c.req.query('connector_instance_id')
  const all = [...authority.members, ...authority.unusable]
  const member =
    connection === undefined ? undefined : all.find(({ grant }) => grantedConnections(grant).includes(connection))
  return member?.grant.grant_id ?? authority.packageId
}

/**
 * One receipt for each grant that was read (point 37), with one line for each of its streams in the answer. Only the
 * first line has the answer's size, so that sums are right.
 */
export function disclosed(c: Http, reader: Reader, authority: Client): Receipt[] {
  const { disclosures = [], bytes = 0 } = c.var
  const [only] = disclosures
  // Most reads are of one stream under one grant.
  if (authority.kind === 'client' && only && disclosures.length === 1 && only.grantId === authority.grant.grant_id) {
    const { operation, subjectId, clientId } = reader
    const { grantId, connectorKey, stream, connections, fields, records } = only
    const [at, surface, requestId] = [Date.now(), surfaceOf(c), c.get('requestId')]
    const receipt = { operation, subjectId, clientId, at, surface, requestId, grantId, connectorKey, stream }
    return [{ ...receipt, connections, fields, records, bytes, outcome: 'ok' }]
  }
  const withData = new Set(disclosures.map(({ grantId }) => grantId))
  const grantsRead = authority.kind === 'client' ? [authority.grant.grant_id] : (c.var.grantsRead ?? [])
  const withoutData = grantsRead.filter((id) => !withData.has(id)).map((grantId) => ({ ...NOTHING, grantId }))
  const all = [...disclosures, ...withoutData]
  const entries = all.length === 0 ? [{ ...NOTHING, grantId: accessIdOf(authority) }] : all
  const byGrant = [...Map.groupBy(entries, ({ grantId }) => grantId).values()].flatMap((lines) =>
    lines.map((line, index) => (index === 0 ? line : { ...line, continues: true })),
  )
  return byGrant.map((line, index) => ({
    ...occasion(c, reader),
    ...line,
    bytes: index === 0 ? bytes : 0,
    outcome: 'ok',
  }))
}

function occasion(c: Http, reader: Reader) {
  return { ...reader, at: Date.now(), surface: surfaceOf(c), requestId: c.get('requestId') }
}

/** Cached, because a scope serves many requests. */
const FIELDS = new WeakMap<ReadScope, readonly string[]>()

export function disclosureOf(scope: ReadScope, records: readonly number[]): Disclosure {
  return {
    grantId: grantOf(scope),
    connectorKey: scope.connectorKey,
    stream: scope.stream.name,
    connections: scope.connections,
    fields: fieldsOf(scope),
    records,
  }
}

function fieldsOf(scope: ReadScope): readonly string[] {
  const known = FIELDS.get(scope)
  if (known) return known
  const fields = usableNames(scope.stream, scope.projection)
  FIELDS.set(scope, fields)
  return fields
}

/** An aggregate discloses no single record, so its receipt names the fields that it was computed on. */
export function computedOn(scope: ReadScope, fields: readonly string[]): Disclosure {
  const { connectorKey, connections, stream } = scope
  return { grantId: grantOf(scope), connectorKey, connections, stream: stream.name, fields, records: [] }
}

const grantOf = ({ accessId }: ReadScope): string | undefined => (accessId === 'owner' ? undefined : accessId)
