import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { isGlobalUnicast } from './global-unicast.ts'

/** What a test may replace: names and the addresses that are in reach. Nothing else differs in production. */
export interface Reach {
  resolve(host: string): Promise<readonly string[]>
  isAllowed(address: string): boolean
  /** Certificates to trust instead of the well-known ones. */
  readonly ca?: string
}

export const PUBLIC_INTERNET: Reach = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  isAllowed: isGlobalUnicast,
}

export interface GuardedLimits {
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface FetchedJson {
  readonly body: unknown
  readonly maxAgeSeconds: number | undefined
}

/**
 * GETs a small JSON document from an https address that somebody else chose. Every address of the name must be
 * allowed, and the one that was checked is the one that is dialled, so a name that changes in between gains nothing.
 * No redirects, no compression, bounded in time and size. Throws on anything else.
 */
export async function fetchJson(url: URL, limits: GuardedLimits, reach: Reach = PUBLIC_INTERNET): Promise<FetchedJson> {
  if (url.protocol !== 'https:') throw new Error('not https')
  const deadline = AbortSignal.timeout(limits.timeoutMs)
  const address = await abortable(checkedAddress(url.hostname, reach), deadline)
  const response = await send(url, address, deadline, reach)
  try {
    checkHead(response, limits.maxBytes)
    const text = await readText(response, limits.maxBytes)
    return { body: JSON.parse(text), maxAgeSeconds: maxAge(response.headers['cache-control']) }
  } finally {
    response.destroy()
  }
}

async function checkedAddress(hostname: string, reach: Reach): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await reach.resolve(host)
  if (addresses.length === 0 || !addresses.every((address) => reach.isAllowed(address)))
    throw new Error('an address of the host is not on the public internet')
  return addresses[0]!
}

function send(url: URL, address: string, signal: AbortSignal, reach: Reach): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: address,
        port: url.port === '' ? 443 : Number(url.port),
        path: url.pathname + url.search,
        method: 'GET',
        headers: { host: url.host, accept: 'application/json', 'accept-encoding': 'identity' },
        ...(isIP(url.hostname.replace(/^\[|\]$/g, '')) ? {} : { servername: url.hostname }),
        ...(reach.ca === undefined ? {} : { ca: reach.ca }),
        agent: false,
        maxHeaderSize: 8192,
        signal,
      },
      resolve,
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
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
