import { isName } from '@pdpp/protocol/reading'
import { callTool } from '../calling/call-tool.ts'
import type { Entrypoint } from '../calling/entrypoint.ts'
import type { ToolResult } from '../calling/result.ts'
import type { ResourceServer } from '../resource-server/resource-server.ts'

/** The same reads as URIs, for hosts that attach resources. Results never contain these URIs; they show arguments. */
export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'pdpp://stream/{name}', name: 'stream', mimeType: 'text/plain', description: 'What a stream holds.' },
  { uriTemplate: 'pdpp://record/{handle}', name: 'record', mimeType: 'application/json', description: 'One record.' },
  {
    uriTemplate: 'pdpp://field-window/{handle}',
    name: 'field-window',
    mimeType: 'text/plain',
    description: 'A part of one long field.',
  },
] as const

export interface ResourceContents {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

/** Undefined for unknown URIs. An error is returned as the text that the tool would return. */
export async function readResource(
  entrypoint: Entrypoint,
  server: ResourceServer,
  uri: string,
  signal: AbortSignal,
): Promise<ResourceContents | undefined> {
  const [, kind, handle] = /^pdpp:\/\/(stream|record|field-window)\/([^/?#]+)$/.exec(uri) ?? []
  if (kind === undefined || handle === undefined) return
  const text = ({ content }: ToolResult) => content[0].text
  const call = async (tool: string, args: object) => text(await callTool(entrypoint, server, tool, args, signal))
  if (kind === 'record') return { uri, mimeType: 'application/json', text: await call('fetch', { id: uri }) }
  if (kind === 'field-window')
    return { uri, mimeType: 'text/plain', text: await call('read_record_field', { id: uri }) }
  if (!isName(handle)) return
  return { uri, mimeType: 'text/plain', text: await call('schema', { stream: handle }) }
}
