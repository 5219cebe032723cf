import { isName } from '@pdpp/protocol/reading'
import { callTool } from '../calling/call-tool.ts'
import type { AnyEntrypoint, Entrypoint } from '../calling/entrypoint.ts'
import type { ToolResult } from '../calling/result.ts'
import { parseStreamUri, STREAM_TEMPLATE } from '../listening/stream-address.ts'
import type { ResourceServer } from '../resource-server/resource-server.ts'

/**
 * The same reads as URIs, for hosts that attach resources. Results never contain these URIs; they contain arguments
 * instead.
 */
const RESOURCE_TEMPLATES = [
  { uriTemplate: 'pdpp://stream/{name}', name: 'stream', mimeType: 'text/plain', description: 'What a stream holds.' },
  { uriTemplate: 'pdpp://record/{handle}', name: 'record', mimeType: 'application/json', description: 'One record.' },
  {
    uriTemplate: 'pdpp://field-window/{handle}',
    name: 'field-window',
    mimeType: 'text/plain',
    description: 'A part of one long field.',
  },
] as const

export function resourceTemplates({ listens }: AnyEntrypoint): object[] {
  return [...RESOURCE_TEMPLATES, ...(listens ? [STREAM_TEMPLATE] : [])]
}

const text = ({ content }: ToolResult) => content[0].text

export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** Undefined for unknown URIs. An error is returned as the text that the tool would return. */
export async function readResource<Server extends ResourceServer>(
  entrypoint: Entrypoint<Server>,
  server: Server,
  uri: string,
  signal: AbortSignal,
): Promise<ResourceContents | undefined> {
  const called = async (tool: string, args: object) => text(await callTool(entrypoint, server, tool, args, signal))
  const address = entrypoint.listens ? parseStreamUri(uri) : undefined
  if (address !== undefined) {
    const args = { stream: address.stream, connection_id: address.connectionId }
    return { uri, mimeType: 'text/plain', text: await called('schema', args) }
  }
  const [, kind, handle] = /^pdpp:\/\/(stream|record|field-window)\/([^/?#]+)$/.exec(uri) ?? []
  if (kind === undefined || handle === undefined) return
  if (kind === 'record') return { uri, mimeType: 'application/json', text: await called('fetch', { id: uri }) }
  if (kind === 'field-window')
    return { uri, mimeType: 'text/plain', text: await called('read_record_field', { id: uri }) }
  if (!isName(handle)) return
  return { uri, mimeType: 'text/plain', text: await called('schema', { stream: handle }) }
}
