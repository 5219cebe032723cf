import type { Part } from './answer-body.ts'
import type { ServerFeatures } from './server-features.ts'

/** What the tools know of a PDPP server: reads of `/v1`, as the holder of one scoped token. */
export interface ResourceServer {
  /** Relative addresses in its answers are relative to this. */
  readonly providerUrl: string
  get(read: Read): Promise<Reply>
  /** A part of something that is not JSON. */
  getBytes(read: BytesRead): Promise<BytesReply>
  features(signal?: AbortSignal): Promise<ServerFeatures>
}

export interface Read {
  /** Below the provider's address, its segments encoded. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  /** Which tool asks: the owner's receipts say so. */
  readonly tool: string
  /** What is enough of the answer (RFC 7240); a server that does not know it gives the whole. */
  readonly prefer?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface BytesRead extends Read {
  /** Undefined where nothing is left out: of nothing there is no part. */
  readonly range: { readonly from: number; readonly count: number } | undefined
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly requestId: string | undefined
  /** The header of that name, as it came. */
  readonly retryAfter?: string | undefined
}

export interface BytesReply extends Reply {
  /** Undefined where the answer is a refusal, with its words in the body. */
  readonly part: Part | undefined
  readonly header: (name: string) => string | undefined
}

/** RFC 9110 section 14.2; a server may answer with all. */
export function rangeHeader({ range }: BytesRead): { range?: string } {
  return range === undefined ? {} : { range: `bytes=${range.from}-${range.from + range.count - 1}` }
}

export function recordPath(stream: string, recordKey: string): string {
  return `${streamPath(stream)}/records/${encodeURIComponent(recordKey)}`
}

export function streamPath(stream: string): string {
  return `/v1/streams/${encodeURIComponent(stream)}`
}
