import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/server'
import { callTool, hasTool } from '../../calling/call-tool.ts'
import type { AnyEntrypoint } from '../../calling/entrypoint.ts'
import { resultMembers } from '../../calling/result.ts'
import { LIST_CACHE, VERSION } from '../../entrypoints/mcp-server.ts'
import type { ResourceServer } from '../../resource-server/resource-server.ts'
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
  if (method === 'tools/list') return answer(entrypoint, message, era, listResult(entrypoint, era))
  if (!hasTool(entrypoint, params['name'])) return
  if (era === 'modern' && header('mcp-name') !== params['name']) return
  const result = await callTool(entrypoint, call.resources, params['name'], params['arguments'])
  return answer(entrypoint, message, era, resultMembers(result))
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

function answer({ name }: AnyEntrypoint, { id }: Message, era: 'modern' | 'legacy', members: string): HostedAnswer {
  // The full identity with icons is only in the answer to server/discover.
  const info = JSON.stringify({ [SERVER_INFO_META_KEY]: { name, version: VERSION } })
  const result = era === 'modern' ? `{${members},"resultType":"complete","_meta":${info}}` : `{${members}}`
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

const mediaType = (header: string | undefined): string | undefined => header?.replace(/;.*/s, '').trim().toLowerCase()

/**
 * Recognises requests whose members are all known and of the right type. The SDK handles all others, so that only the
 * SDK decides what is wrong with a request.
 */
interface Message {
  readonly jsonrpc: '2.0'
  readonly id: string | number
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

type Check = (value: unknown) => boolean

const PARAMS: Record<string, Record<string, Check>> = {
  'tools/list': { _meta: isMeta },
  'tools/call': { _meta: isMeta, name: isText, arguments: isObject },
}
const OUR_META = 'io.modelcontextprotocol/'
const META: Record<string, Check> = {
  progressToken: (value) => isText(value) || Number.isSafeInteger(value),
  [PROTOCOL_VERSION_META_KEY]: isText,
  [CLIENT_CAPABILITIES_META_KEY]: isCapabilities,
  [CLIENT_INFO_META_KEY]: isClient,
}
const CAPABILITIES: Record<string, Check> = {
  roots: (value) => hasOnly(value, { listChanged: isFlag }),
  sampling: (value) => hasOnly(value, { context: isEmpty, tools: isEmpty }),
  elicitation: (value) => hasOnly(value, { form: isEmpty, url: isEmpty }),
  extensions: (value) => isObject(value) && Object.values(value).every(isObject),
  experimental: (value) => isObject(value) && Object.values(value).every(isObject),
}
const CLIENT: Record<string, Check> = { name: isText, version: isText, title: isText }

function isFastPathMessage(message: unknown): message is Message {
  if (!isObject(message) || Object.keys(message).length !== 4 || message['jsonrpc'] !== '2.0') return false
  const { id, method, params } = message
  if (!isText(id) && !Number.isSafeInteger(id)) return false
  return typeof method === 'string' && Object.hasOwn(PARAMS, method) && hasOnly(params, PARAMS[method]!)
}

/** Ignores members of other namespaces. */
function isMeta(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, member]) =>
    Object.hasOwn(META, name) ? META[name]!(member) : !name.startsWith(OUR_META),
  )
}

function isCapabilities(value: unknown): boolean {
  return hasOnly(value, CAPABILITIES)
}

function isClient(value: unknown): boolean {
  return hasOnly(value, CLIENT) && 'name' in (value as object) && 'version' in (value as object)
}

function hasOnly(value: unknown, checks: Record<string, Check>): boolean {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, member]) => Object.hasOwn(checks, name) && checks[name]!(member))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}
