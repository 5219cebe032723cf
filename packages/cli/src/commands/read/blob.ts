import { createWriteStream, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CachedBearer } from '@pdpp/mcp-server/client'
import { UsageError } from '../../failure.ts'
import { printJson, printNote } from '../../output.ts'
import { type Connected, type ConnectionOptions, connected } from '../../provider/connected.ts'
import { refusal, unreachable } from '../../provider/refusal.ts'
import { withProgress } from '../../terminal/progress.ts'
import { splitWords } from './arguments.ts'
import type { PrintOptions } from './paging.ts'

interface BlobOptions extends ConnectionOptions, PrintOptions {
  output?: string
  connection?: string
}

const FIRST_BYTE_MS = 30_000

/** GET /v1/blobs/{blob_id}: bytes to a file or a pipe, never to a terminal. */
export async function readBlob(words: string[], options: BlobOptions): Promise<void> {
  const { provider, rest } = splitWords(words)
  const [id, ...others] = rest
  if (id === undefined || others.length > 0)
    throw new UsageError('Name one blob: pdpp read blob <blob-id> --output <file>')
  if (options.output === undefined && !options.json && process.stdout.isTTY)
    throw new UsageError(
      'Bytes are not printed to a terminal.',
      'Save them with --output <file>, or send them into a pipe.',
    )
  const connection = connected(provider, options)
  const response = await request(connection, id, options.connection)
  const facts = {
    blob_id: id,
    mime_type: response.headers.get('content-type'),
    size_bytes: numberOf(response.headers.get('content-length')),
  }
  if (options.json && options.output === undefined) {
    await response.body?.cancel()
    return printJson(facts)
  }
  const bytes = await withProgress(`Saving ${id}`, () => save(response, options.output))
  if (options.json) printJson({ ...facts, size_bytes: bytes, output: options.output })
  else if (options.output !== undefined)
    printNote(`Saved ${bytes.toLocaleString('en')} bytes (${facts.mime_type}) to ${options.output}.`)
}

async function request(
  { providerUrl, cache, grant }: Connected,
  id: string,
  connectionId: string | undefined,
): Promise<Response> {
  const bearers = new CachedBearer(cache, grant, printNote)
  const query = connectionId === undefined ? '' : `?${new URLSearchParams({ connection_id: connectionId })}`
  const get = async (bearer: string) => {
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), FIRST_BYTE_MS)
    try {
      return await fetch(`${providerUrl}/v1/blobs/${encodeURIComponent(id)}${query}`, {
        headers: { authorization: `Bearer ${bearer}`, 'user-agent': '@pdpp/cli' },
        redirect: 'error',
        signal: timeout.signal,
      })
    } catch {
      throw unreachable(providerUrl)
    } finally {
      clearTimeout(timer)
    }
  }
  const bearer = await bearers.current()
  let response = await get(bearer)
  const other = response.status === 401 ? await bearers.replace(bearer) : undefined
  if (other !== undefined) response = await get(other)
  if (response.ok) return response
  const body: unknown = await response.json().catch(() => undefined)
  throw refusal({ status: response.status, body, requestId: undefined }, providerUrl)
}

/** A file that breaks off is not left as if it were whole. */
async function save(response: Response, output: string | undefined): Promise<number> {
  let bytes = 0
  const body = Readable.fromWeb(response.body as never).on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
  })
  if (output === undefined) {
    await pipeline(body, process.stdout, { end: false })
    return bytes
  }
  let made = false
  try {
    await pipeline(
      body,
      createWriteStream(output, { flags: 'wx', mode: 0o600 }).on('open', () => {
        made = true
      }),
    )
  } catch (error) {
    if (made) rmSync(output, { force: true })
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${output} exists already.`, 'Choose another name with --output.')
    throw error
  }
  return bytes
}

const numberOf = (text: string | null): number | null => (text === null || !/^\d+$/.test(text) ? null : Number(text))
