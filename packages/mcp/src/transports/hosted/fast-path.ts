import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { callTool, hasTool } from '../../calling/call-tool.ts'
import type { AnyEntrypoint } from '../../calling/entrypoint.ts'
import { resultMembers } from '../../calling/result.ts'
import { LIST_CACHE } from '../../entrypoints/mcp-server.ts'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
import { isFastPathMessage, isObject, type Message } from './fast-path-message.ts'
import type { HostedAnswer, HostedCall } from './hosted-mcp.ts'

const MODERN = '2026-07-28'
const LEGACY = ['2025-11-25', '2025-06-18']
/** The tool lists as JSON. They are constant, so each is serialised once. */
const LISTS = new WeakMap<AnyEntrypoint, string>()

/**
 * Answers `tools/list` and `tools/call` without the SDK, which costs several times as much as the calls themselves.
 * Returns undefined unless everything about the request is normal. A test compares the answers with the SDK's.
 */
export async function answerOnFastPath<Resources extends ResourceServer>(
  call: HostedCall<Resources>,
  message: unknown,
): Promise<HostedAnswer | undefined> {
  const { entrypoint, header } = call
  if (!isFastPathMessage(message) || mediaType(header('content-type')) !== 'application/json') return
  const era = eraOf(header, message)
  if (era === undefined) return
  const { method, params } = message
  if (method === 'tools/list') return answer(call, message, era, listResult(entrypoint, era))
  if (!hasTool(entrypoint, params['name'])) return
  if (era === 'modern' && header('mcp-name') !== params['name']) return
  const result = await callTool(entrypoint, call.resources, params['name'], params['arguments'])
  return answer(call, message, era, resultMembers(result))
}

function eraOf(header: HostedCall['header'], { method, params }: Message): 'modern' | 'legacy' | undefined {
  const version = header('mcp-protocol-version')
  const meta = isObject(params['_meta']) ? params['_meta'] : {}
  const claimed = meta[PROTOCOL_VERSION_META_KEY]
  if (claimed === undefined) return LEGACY.includes(version ?? '') ? 'legacy' : undefined
  const whole = claimed === MODERN && version === MODERN && isObject(meta[CLIENT_CAPABILITIES_META_KEY])
  return whole && header('mcp-method') === method ? 'modern' : undefined
}

/** The members of the result as JSON, without the braces. */
function listResult(entrypoint: AnyEntrypoint, era: 'modern' | 'legacy'): string {
  const list = LISTS.get(entrypoint) ?? JSON.stringify(entrypoint.definitions)
  LISTS.set(entrypoint, list)
  const cache = era === 'modern' ? `,${JSON.stringify(LIST_CACHE).slice(1, -1)}` : ''
  return `"tools":${list}${cache}`
}

function answer(
  { identity }: Pick<HostedCall, 'identity'>,
  { id }: Message,
  era: 'modern' | 'legacy',
  members: string,
): HostedAnswer {
  // The full identity with icons is only in the answer to server/discover.
  const { name, version } = identity
  const info = JSON.stringify({ [SERVER_INFO_META_KEY]: { name, version } })
  const result = era === 'modern' ? `{${members},"resultType":"complete","_meta":${info}}` : `{${members}}`
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

const mediaType = (header: string | undefined): string | undefined => header?.replace(/;.*/s, '').trim().toLowerCase()
