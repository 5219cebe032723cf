// Generates offers of every kind for property tests: sources with one and with several connections, requested or not,
// sensitive or not.
import type { Grant, StreamDeclaration } from '@pdpp/protocol'
import fc from 'fast-check'
import type { GrantRequest } from '../../grants/grant-service.ts'
import { resolveSelection } from '../../grants/selection.ts'
import type { ConsentRequest } from './consent-service.ts'
import type { OfferedSource } from './offer.ts'

const FIELDS = ['at', 'title', 'body', 'secret']
const REQUIRED = ['id']

interface StreamShape {
  readonly fields: readonly string[]
  readonly asked: readonly string[]
  readonly isDated: boolean
  readonly isSensitive: boolean
  readonly since: boolean
}

interface SourceShape {
  readonly connections: number
  readonly streams: readonly StreamShape[]
  readonly isSensitive: boolean
}

const streamShape = fc.record({
  fields: fc.subarray(FIELDS.slice(1)),
  asked: fc.subarray(FIELDS),
  isDated: fc.boolean(),
  isSensitive: fc.boolean(),
  since: fc.boolean(),
})
const sourceShape = fc.record({
  connections: fc.integer({ min: 1, max: 3 }),
  streams: fc.array(streamShape, { minLength: 1, maxLength: 3 }),
  isSensitive: fc.boolean(),
})

/** A client's request, or everything if it names nothing. Up to `maxSources` sources. */
export const offers = (maxSources: number): fc.Arbitrary<OfferedSource[]> =>
  fc
    .tuple(fc.array(sourceShape, { minLength: 1, maxLength: maxSources }), fc.boolean())
    .map(([shapes, isAsked]) => shapes.map((shape, index) => offered(shape, index, isAsked)))

function offered({ connections, streams, isSensitive }: SourceShape, index: number, isAsked: boolean): OfferedSource {
  const key = isAsked ? `asked-${index}` : `source${index}`
  const ids = Array.from({ length: connections }, (_, number) => `c${index}-${number}`)
  const declared = streams.map((stream, at) => declarationOf(`part${at}`, stream))
  const declaration = {
    source: { kind: 'connector', id: `https://tests.example/${index}` },
    connector_key: `source${index}`,
    declaration_version: '1',
    display: { name: `Source ${index}` },
    streams: declared,
  } as unknown as OfferedSource['declaration']
  const selection = {
    connections: ids,
    streams: streams.map(({ asked, fields, isDated, since }, at) => ({
      name: `part${at}`,
      ...(isAsked ? { fields: ['id', ...asked.filter((one) => fields.includes(one))] } : {}),
      ...(isAsked && isDated && since ? { since: '2026-01-01' } : {}),
    })),
  }
  const asked = {
    declaration,
    selection,
    purposeCode: 'https://pdpp.dev/purpose/agent_context',
    purposeDescription: undefined,
    singleUse: false,
    retention: undefined,
    commitments: [],
  }
  return {
    key,
    declaration,
    connections: ids.map((connectionId) => ({
      connectionId,
      connectorKey: `source${index}`,
      displayName: `Name of ${connectionId}`,
      createdAt: 0,
      updatedAt: 0,
    })),
    sensitive: isSensitive,
    asked: isAsked ? asked : undefined,
    streams: resolveSelection(declaration, selection).map((maxGrant, at) => ({
      declaration: declared[at]!,
      maxGrant,
      required: [...REQUIRED, ...(streams[at]!.isDated ? ['at'] : [])],
      sensitive: isSensitive || streams[at]!.isSensitive,
    })),
  }
}

function declarationOf(name: string, { fields, isDated }: StreamShape): StreamDeclaration {
  const all = [...REQUIRED, ...(isDated ? ['at'] : []), ...fields]
  return {
    name,
    semantics: 'mutable_state',
    schema: { type: 'object', properties: Object.fromEntries(all.map((field) => [field, { type: 'string' }])) },
    primary_key: ['id'],
    ...(isDated ? { cursor_field: 'at', consent_time_field: 'at' } : {}),
  }
}

/** A request with this offer. It has only the members that a review reads. */
export const requestOf = (offer: readonly OfferedSource[]): ConsentRequest =>
  ({
    uid: 'uid',
    kind: 'browser',
    profile: 'grant',
    clientId: 'cli',
    client: { clientId: 'cli', kind: 'registered', metadata: { redirect_uris: [] }, createdAt: 0 },
    audiences: [],
    offer,
    missing: [],
    isOwnerAgent: false,
    expiresAt: 0,
    revision: 'r',
  }) as unknown as ConsentRequest

/** Drafts grants as the service does, from the declarations of an offer. */
export const drafting = (offer: readonly OfferedSource[]) => ({
  draft: async (subjectId: string, request: GrantRequest): Promise<Grant> => {
    const { declaration } = offer.find(({ connections }) =>
      connections.some(({ connectionId }) => connectionId === request.connections[0]),
    )!
    return {
      grant_id: 'grt',
      subject: { id: subjectId },
      client: { client_id: 'cli' },
      source: { ...declaration.source, connector_key: declaration.connector_key },
      purpose_code: request.purposeCode,
      access_mode: request.singleUse ? 'single_use' : 'continuous',
      streams: resolveSelection(declaration, request),
      expires_at: request.expiresAt ?? null,
    } as unknown as Grant
  },
})
