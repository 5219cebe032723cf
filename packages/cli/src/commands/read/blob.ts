import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CachedBearer, httpFetch } from '@pdpp/mcp-server/client'
import { type Connected, type ConnectionOptions, connected } from '../../provider/connected.ts'
import { refusal, unreachable } from '../../provider/refusal.ts'
import { UsageError } from '../../terminal/failure.ts'
import { printJson, printNote } from '../../terminal/output.ts'
import { withProgress } from '../../terminal/progress.ts'
import { splitWords } from './arguments.ts'
import { saveBlob } from './blob-file.ts'
import type { PrintOptions } from './paging.ts'

interface BlobOptions extends ConnectionOptions, PrintOptions {
  output?: string
  connection?: string
}

/** Timeout until the first byte. The rest may take any time. */
const FIRST_BYTE_MS = 30_000
const RANGE_NOT_SATISFIABLE = 416
/** Ids that contain the hash of the bytes. */
const ID_WITH_HASH = /^blob_([0-9a-f]{64})$/

/** GET /v1/blobs/{blob_id}. Writes the bytes to a file or a pipe, never to a terminal. */
export async function readBlob(words: string[], options: BlobOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const [id, ...others] = rest
  if (id === undefined || others.length > 0)
    throw new UsageError('Name one blob: pdpp read blob <blob-id> --output <file>')
  const { output } = options
  if (output === undefined && !options.json && process.stdout.isTTY)
    throw new UsageError(
      'A file cannot be shown on a terminal.',
      'Save it with --output <file>, or pipe it into another program.',
    )
  const blob = new RemoteBlob(connected(provider, options), id, options.connection)
  if (output !== undefined) return save(blob, output, options)
  const response = await blob.ask({}, options.json ? 'HEAD' : 'GET')
  if (options.json) return printJson({ blob_id: id, ...factsOf(response) })
  await withProgress(`Reading ${id}`, () =>
    pipeline(Readable.fromWeb(response.body as never), process.stdout, { end: false }),
  )
}

async function save(blob: RemoteBlob, output: string, options: BlobOptions): Promise<void> {
  const saved = await withProgress(`Saving ${blob.id}`, () =>
    saveBlob(output, ID_WITH_HASH.exec(blob.id)?.[1], (headers) => blob.ask(headers)),
  )
  if (options.json)
    printJson({ blob_id: blob.id, mime_type: saved.mimeType, size_bytes: saved.sizeBytes, output: options.output })
  else printNote(`Saved ${saved.sizeBytes.toLocaleString('en')} bytes (${saved.mimeType}) to ${output}.`)
}

class RemoteBlob {
  readonly id: string
  readonly #url: string
  readonly #providerUrl: string
  readonly #bearers: CachedBearer

  constructor({ providerUrl, cache, grant }: Connected, id: string, connectionId: string | undefined) {
    const query = connectionId === undefined ? '' : `?${new URLSearchParams({ connection_id: connectionId })}`
    this.id = id
    this.#url = `${providerUrl}/v1/blobs/${encodeURIComponent(id)}${query}`
    this.#providerUrl = providerUrl
    this.#bearers = new CachedBearer(cache, grant, printNote)
  }

  /** Returns 416 to a caller that sent a range. Throws for every other error. */
  async ask(headers: Record<string, string>, method = 'GET'): Promise<Response> {
    const bearer = await this.#bearers.current()
    let response = await this.#request(bearer, headers, method)
    const other = response.status === 401 ? await this.#bearers.replace(bearer) : undefined
    if (other !== undefined) {
      await response.body?.cancel()
      response = await this.#request(other, headers, method)
    }
    if (response.ok || (response.status === RANGE_NOT_SATISFIABLE && 'range' in headers)) return response
    if (method === 'HEAD') return this.#askWithoutBytes(headers)
    const body: unknown = await response.json().catch(() => undefined)
    throw refusal({ status: response.status, body, requestId: undefined }, this.#providerUrl)
  }

  /** Repeats a refused HEAD as GET, because an answer to HEAD has no message and some servers do not support HEAD. */
  async #askWithoutBytes(headers: Record<string, string>): Promise<Response> {
    const response = await this.ask(headers)
    await response.body?.cancel()
    return response
  }

  async #request(bearer: string, headers: Record<string, string>, method: string): Promise<Response> {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), FIRST_BYTE_MS)
    try {
      return await httpFetch(this.#url, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'user-agent': '@pdpp/cli', 'pdpp-surface': 'cli', ...headers },
        signal: timeout.signal,
      })
    } catch {
      throw unreachable(this.#providerUrl)
    } finally {
      clearTimeout(timer)
    }
  }
}

function factsOf({ headers }: Response) {
  const size = headers.get('content-length')
  return {
    mime_type: headers.get('content-type'),
    size_bytes: size === null || !/^\d+$/.test(size) ? null : Number(size),
  }
}
