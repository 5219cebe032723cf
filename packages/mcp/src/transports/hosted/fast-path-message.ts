import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server'

/**
 * Recognises requests whose members are all known and of the right type. The SDK handles all others, so that only the
 * SDK decides what is wrong with a request.
 */
export interface Message {
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

export function isFastPathMessage(message: unknown): message is Message {
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

export function isObject(value: unknown): value is Record<string, unknown> {
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
