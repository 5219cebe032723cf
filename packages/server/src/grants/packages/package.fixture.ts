import type { Grant } from '@pdpp/protocol'
import type { StoredGrant } from '../grant-store.ts'

export function testGrant(
  id: string,
  connections: string[],
  streams = ['entries'],
  changes: Partial<Grant> = {},
): Grant {
  return {
    version: '0.1.0',
    grant_id: id,
    issued_at: '2026-01-01T00:00:00Z',
    subject: { id: 'owner' },
    client: { client_id: `cli_${id}` },
    source: { kind: 'connector', id: 'https://tests.example/journal', connector_key: 'journal' },
    source_declaration: { version: '1' },
    purpose_code: 'https://pdpp.dev/purpose/agent_context',
    access_mode: 'continuous',
    streams: streams.map((name) => ({ name, instance_ids: connections, fields: ['id'] })),
    expires_at: null,
    ...changes,
  }
}

export function stored(grant: Grant, changes: Partial<StoredGrant> = {}): StoredGrant {
  return {
    grant,
    createdAt: 1,
    revokedAt: undefined,
    consumedAt: undefined,
    pausedAt: undefined,
    expiredAt: undefined,
    packageId: 'pkg_1',
    replacedBy: undefined,
    ...changes,
  }
}
