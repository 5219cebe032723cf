import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import type { Discovered } from './discovery.ts'

/** RFC 9396: all streams of one source, for as long as the owner lets it; the owner's page narrows it. */
export function detailsFor(source: string | undefined): string | undefined {
  if (source === undefined) return
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(source))
    throw new UsageError(
      `"${source}" is not the id of a source.`,
      'It is an address, such as https://registry.example/connectors/mail',
    )
  return JSON.stringify([
    {
      type: 'https://pdpp.dev/data-access',
      source: { kind: 'connector', id: source },
      purpose_code: 'https://pdpp.dev/purpose/agent_context',
      access_mode: 'continuous',
      streams: [{ name: '*' }],
    },
  ])
}

/** Where the owner chooses among sources a package comes out, and not every server takes its token for `/v1`. */
export function requireOneSource({ resourceMetadata, providerUrl }: Discovered, source: string | undefined): void {
  const kinds = resourceMetadata['pdpp_token_kinds_supported']
  if (source !== undefined || !Array.isArray(kinds) || kinds.includes('mcp_package')) return
  throw new CommandFailure(
    EXIT.usage,
    `${providerUrl} reads one source with one token, so it has to be named beforehand.`,
    `Ask its owner for the id of the source, then run: pdpp connect ${providerUrl} --source <id>`,
  )
}
