import { formatResultId, PdppError } from '@pdpp/protocol/reading'
import type { ToolCall } from './tool.ts'

/**
 * Turns a `url` from a result back into an id, because models pass addresses that they cited. Only addresses of this
 * server are parsed, and none is ever opened. Other values pass unchanged.
 */
export async function withoutAddress(call: ToolCall, param: 'id' | 'around'): Promise<ToolCall> {
  const address = call.args[param]
  if (typeof address !== 'string' || !/^https?:\/\//i.test(address)) return call
  const { origin } = await call.server.features(call.signal)
  const id = [call.server.providerUrl, origin]
    .map((base) => idBelow(base, address))
    .find((found) => found !== undefined)
  if (id !== undefined) return { ...call, args: { ...call.args, [param]: id } }
  throw new PdppError('invalid_argument', 'This is not the address of a record on this server.', {
    param,
    nextStep:
      'Pass an id or url exactly as a result of this server showed it; no other address is opened. If the key is an address, write stream:key.',
  })
}

const PAGE = /^r\/([^/]+)$/
const READ = /^v1\/streams\/([^/]+)\/records\/([^/]+)$/

function idBelow(base: string | undefined, address: string): string | undefined {
  if (base === undefined || !URL.canParse(base) || !URL.canParse(address)) return
  const [root, url] = [new URL(base.endsWith('/') ? base : `${base}/`), new URL(address)]
  if (url.origin !== root.origin || url.username !== '' || url.password !== '') return
  if (!url.pathname.startsWith(root.pathname)) return
  const path = url.pathname.slice(root.pathname.length)
  const [, page] = PAGE.exec(path) ?? []
  if (page !== undefined) return url.search === '' ? decoded(page) : undefined
  const [stream, recordKey] = (READ.exec(path) ?? []).slice(1).map(decoded)
  if (stream === undefined || recordKey === undefined) return
  const { connection_id: connectionId, ...others } = Object.fromEntries(url.searchParams)
  if (Object.keys(others).length > 0) return
  return connectionId === undefined ? `${stream}:${recordKey}` : formatResultId({ connectionId, stream, recordKey })
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return
  }
}
