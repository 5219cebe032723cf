import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isGlobalUnicast } from './global-unicast.ts'

/** How names are resolved and which addresses are allowed. Tests replace only this. */
export interface AllowedHosts {
  resolve(host: string): Promise<readonly string[]>
  isAllowed(address: string): boolean
  /** Certificates to trust instead of the system's. */
  readonly ca?: string
}

export const PUBLIC_INTERNET: AllowedHosts = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  isAllowed: isGlobalUnicast,
}

/** Thrown if connecting to an address of the host is not allowed. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed'
}

const MAX_ADDRESSES = 8

export interface GuardedLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface FetchedJson {
  readonly body: unknown
  readonly maxAgeSeconds: number | undefined
}

/**
 * GETs a small JSON document from an https URL that somebody else chose. Every address of the host must be allowed, and
 * only checked addresses are connected to, so a DNS answer that changes in between has no effect.
 * Follows no redirect, accepts no compression, and limits time and size. Throws in all other cases.
 */
export async function fetchJson(
  url: URL,
  limits: GuardedLimits,
  reach: AllowedHosts = PUBLIC_INTERNET,
): Promise<FetchedJson> {
  if (url.protocol !== 'https:') throw new Error('not https')
  const deadline = AbortSignal.timeout(limits.timeoutMs)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await abortable(checkedAddresses(host, reach), deadline)
  const response = await send(url, host, addresses, deadline, reach)
  try {
    checkHead(response, limits.maxBytes)
    const text = await readText(response, limits.maxBytes)
    return { body: JSON.parse(text), maxAgeSeconds: maxAge(response.headers['cache-control']) }
  } finally {
    response.destroy()
  }
}

/** A small text that is sent to an https URL that somebody else chose. */
export interface GuardedPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Accept an http URL. The caller has checked that it leads to this machine. */
  readonly allowsHttp?: boolean
  /** False returns as soon as the status is known, so that a slow answer costs nothing. */
  readonly readsAnswer?: boolean
}

export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  /** Undefined if the answer was not read, or is too long, cut off or not UTF-8. */
  readonly text: string | undefined
}

/** POSTs with the same precautions as `fetchJson`, and returns any answer. Throws if there is none. */
export async function postGuarded(
  url: URL,
  { headers, body, allowsHttp = false, readsAnswer = true }: GuardedPost,
  limits: GuardedLimits,
  reach: AllowedHosts = PUBLIC_INTERNET,
): Promise<PostAnswer> {
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) throw new Error('not https')
  const deadline = AbortSignal.timeout(limits.timeoutMs)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await abortable(checkedAddresses(host, reach), deadline)
  const content = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const response = await send(url, host, addresses, deadline, reach, { method: 'POST', headers: content, body })
  try {
    const text = readsAnswer ? await readText(response, limits.maxBytes).catch(() => undefined) : undefined
    return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text }
  } finally {
    response.destroy()
  }
}

/** True if every address of a host is allowed. False if the lookup takes too long. */
export async function isReachable(host: string, timeoutMs: number, reach: AllowedHosts): Promise<boolean> {
  try {
    await abortable(checkedAddresses(host, reach), AbortSignal.timeout(timeoutMs))
    return true
  } catch {
    return false
  }
}

async function checkedAddresses(host: string, reach: AllowedHosts): Promise<readonly string[]> {
  const addresses = isIP(host) ? [host] : await reach.resolve(host)
  if (addresses.length === 0 || !addresses.every((address) => reach.isAllowed(address)))
    throw new AddressNotAllowed('an address of the host is not on the public internet')
  return addresses.slice(0, MAX_ADDRESSES)
}

function send(
  url: URL,
  host: string,
  addresses: readonly string[],
  signal: AbortSignal,
  reach: AllowedHosts,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string } = {
    method: 'GET',
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
  },
): Promise<IncomingMessage> {
  const isHttps = url.protocol === 'https:'
  const options = {
    host,
    port: url.port === '' ? (isHttps ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    method,
    headers: { host: url.host, ...headers },
    ...(isIP(host) ? {} : { servername: host }),
    ...(reach.ca === undefined ? {} : { ca: reach.ca }),
    // Prevents a second DNS lookup. Node tries the checked addresses in turn until one can be reached.
    lookup: dialOnly(addresses),
    autoSelectFamily: true,
    agent: false as const,
    maxHeaderSize: 8192,
    signal,
  }
  return new Promise((resolve, reject) => {
    const outgoing = (isHttps ? request : plainRequest)(options, resolve)
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function dialOnly(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_name, _options, found) => found(null, all)
}

function checkHead({ statusCode, headers }: IncomingMessage, maxBytes: number): void {
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`)
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new Error('not JSON')
  if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) throw new Error('compressed')
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw new Error('too long')
}

async function readText(response: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new Error('too long')
    chunks.push(chunk)
  }
  if (!response.complete) throw new Error('cut off')
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

function maxAge(header: string | undefined): number | undefined {
  if (header === undefined) return
  if (/\bno-(store|cache)\b/i.test(header)) return 0
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(header)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('timed out')), { once: true })
    work.then(resolve, reject)
  })
}
