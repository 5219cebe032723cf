import { isName } from '@pdpp/protocol'

import { accessIdOf, type ClientAuthority, grantedConnections, type PackageAuthority } from '../../grants/authority.ts'
import type { Receipt } from '../../receipts/receipt-store.ts'
import type { Http } from '../environment.ts'

type Reader = Pick<Receipt, 'operation' | 'subjectId' | 'clientId'>
type Client = ClientAuthority | PackageAuthority

const NOTHING = { connectorKey: undefined, stream: undefined, connections: [], fields: [], records: [] }

/** Programs of ours that read over the network and say so. It is a label for the owner, and decides nothing. */
const LABELS = ['stdio', 'stdio-developer', 'cli']

/** Where the reader stands. That it is at /mcp, or at /mcp/developer, only a caller in this process can say. */
export function surfaceOf(c: Http): string {
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

/** Whose receipt a refusal is: in a package that of the member which was meant, or else that of the package itself. */
export function refusedAccessId(c: Http, authority: Client): string {
  if (authority.kind === 'client') return authority.grant.grant_id
  const { grantsRead } = c.var
  if (grantsRead?.length === 1) return grantsRead[0]!
  const asked = c.req.query('connection_id') ?? c.req.query('connector_instance_id')
  const all = [...authority.members, ...authority.unusable]
  const meant = asked === undefined ? undefined : all.find(({ grant }) => grantedConnections(grant).includes(asked))
  return meant?.grant.grant_id ?? authority.packageId
}

/**
 * One receipt for each grant that was read (point 37), with a line for each stream that the answer shows of it; the
 * answer's size counts once.
 */
export function disclosed(c: Http, reader: Reader, authority: Client): Receipt[] {
  const { disclosures = [], bytes = 0 } = c.var
  const told = new Set(disclosures.map(({ grantId }) => grantId))
  const read = authority.kind === 'client' ? [authority.grant.grant_id] : (c.var.grantsRead ?? [])
  const silent = read.filter((id) => !told.has(id)).map((grantId) => ({ ...NOTHING, grantId }))
  const all = [...disclosures, ...silent]
  const shown = all.length === 0 ? [{ ...NOTHING, grantId: accessIdOf(authority) }] : all
  const byGrant = [...Map.groupBy(shown, ({ grantId }) => grantId).values()].flatMap((lines) =>
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
