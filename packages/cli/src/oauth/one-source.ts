import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../terminal/failure.ts'
import type { Discovered } from './discovery.ts'

/** Asks for all streams of one source without an end (RFC 9396). The owner can narrow that on the consent page. */
export function detailsFor(source: string | undefined): string | undefined {
  if (source === undefined) return
  if (!/^[a-z][a-z0-9+.-]*:\S+$/i.test(source))
    throw new UsageError(
      `"${source}" is not a source id.`,
      'A source id looks like https://registry.example/connectors/mail',
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

/** Without `--source` the owner may choose several sources. Not every server accepts the token of such a package. */
export function requireOneSource({ resourceMetadata, providerUrl }: Discovered, source: string | undefined): void {
  const kinds = resourceMetadata['pdpp_token_kinds_supported']
  if (source !== undefined || !Array.isArray(kinds) || kinds.includes('mcp_package')) return
  throw new CommandFailure(
    EXIT.usage,
    `At ${providerUrl} a token reads only one source, so you must name it.`,
    `Ask the owner for the id of the source, then run: pdpp connect ${providerUrl} --source <id>`,
  )
}
