import type { Part } from './answer-body.ts'
import type { ServerFeatures } from './server-features.ts'

/** The PDPP server as the tools see it: reads of `/v1` with one scoped token. */
export interface ResourceServer {
  /** The base of relative addresses in its answers. */
  readonly providerUrl: string
  get(read: Read): Promise<Reply>
  /** Reads a range of bytes. */
  getBytes(read: BytesRead): Promise<BytesReply>
  features(signal?: AbortSignal): Promise<ServerFeatures>
}

export interface Read {
  /** The path below the provider's address, with encoded segments. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  /** The calling tool, for the owner's receipts. */
  readonly tool: string
  /** The Prefer header (RFC 7240). Servers that do not know the value ignore it. */
  readonly prefer?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface BytesRead extends Read {
  /** Undefined reads everything. An empty file needs this, because it has no range. */
  readonly range: { readonly from: number; readonly count: number } | undefined
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly requestId: string | undefined
  /** The Retry-After header, unparsed. */
  readonly retryAfter?: string | undefined
}

export interface BytesReply extends Reply {
  /** Undefined if the answer is an error, which is then in the body. */
  readonly part: Part | undefined
  readonly header: (name: string) => string | undefined
}

/** RFC 9110 section 14.2. A server may ignore it and send everything. */
export function rangeHeader({ range }: BytesRead): { range?: string } {
  return range === undefined ? {} : { range: `bytes=${range.from}-${range.from + range.count - 1}` }
}

export function recordPath(stream: string, recordKey: string): string {
  return `${streamPath(stream)}/records/${encodeURIComponent(recordKey)}`
}

export function streamPath(stream: string): string {
  return `/v1/streams/${encodeURIComponent(stream)}`
}
