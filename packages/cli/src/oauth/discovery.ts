import { objectOf, textOf } from '@pdpp/mcp-server/client'
import { type Answer, metadataUrl, request } from '@pdpp/mcp-server/doctor'
import { unreachable } from '../provider/refusal.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** A provider's metadata and its authorization server. */
export interface Discovered {
  readonly providerUrl: string
  readonly resourceMetadata: Record<string, unknown>
  readonly issuer: string
  readonly metadata: Record<string, unknown>
  /** The audiences to ask a token for: `/v1` and the hosted adapter (point 15). */
  readonly resources: readonly string[]
}

/** Reads the metadata of RFC 9728, then of RFC 8414. Both documents must name the server that we asked. */
export async function discover(providerUrl: string): Promise<Discovered> {
  const resourceMetadata = await document(`${providerUrl}/.well-known/oauth-protected-resource`, providerUrl)
  const resource = textOf(resourceMetadata['resource'])
  if (resource !== undefined && resource.replace(/\/+$/, '') !== providerUrl)
    throw broken(
      `${providerUrl} says that it is ${resource}.`,
      `If that is the right address, run: pdpp connect ${resource}`,
    )
  const listed = resourceMetadata['authorization_servers']
  const issuer = (Array.isArray(listed) ? textOf(listed[0]) : undefined)?.replace(/\/+$/, '') ?? providerUrl
  const metadata = await document(metadataUrl(issuer), providerUrl)
  if (metadata['issuer'] !== issuer)
    throw broken(
      `${metadataUrl(issuer)} names another issuer: ${String(metadata['issuer'] ?? 'none')}.`,
      seeDoctor(providerUrl),
    )
  return { providerUrl, resourceMetadata, issuer, metadata, resources: resourcesOf(resourceMetadata, providerUrl) }
}

function resourcesOf(metadata: Record<string, unknown>, providerUrl: string): string[] {
  const mcp = textOf(objectOf(objectOf(metadata['pdpp_agent_discovery'])['mcp'])['endpoint'])
  return [textOf(metadata['pdpp_core_query_base']) ?? `${providerUrl}/v1`, mcp ?? `${providerUrl}/mcp`]
}

async function document(url: string, providerUrl: string): Promise<Record<string, unknown>> {
  const answer: Answer = await request(url).catch(() => {
    throw unreachable(providerUrl)
  })
  if (answer.status === 200 && Object.keys(answer.body).length > 0) return answer.body
  throw broken(
    `${url} answered ${answer.status}${answer.status === 200 ? ', but not with JSON' : ''}.`,
    seeDoctor(providerUrl),
  )
}

const seeDoctor = (providerUrl: string): string =>
  `Is this a PDPP server? \`pdpp doctor ${providerUrl}\` checks it step by step.`

const broken = (message: string, nextStep: string): CommandFailure => new CommandFailure(1, message, nextStep)
