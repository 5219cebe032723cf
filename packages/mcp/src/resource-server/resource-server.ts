import type { Advertised } from './advertised.ts'

/** What the tools know of a PDPP server: reads of `/v1`, as the holder of one scoped token. */
export interface ResourceServer {
  /** Relative addresses in its answers are relative to this. */
  readonly providerUrl: string
  get(read: Read): Promise<Reply>
  advertised(signal?: AbortSignal): Promise<Advertised>
}

export interface Read {
  /** Below the provider's address, its segments encoded. */
  readonly path: string
  readonly query: readonly (readonly [string, string])[]
  /** Which tool asks: the owner's receipts say so. */
  readonly tool: string
  readonly signal?: AbortSignal | undefined
}

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly requestId: string | undefined
}

export function recordPath(stream: string, recordKey: string): string {
  return `${streamPath(stream)}/records/${encodeURIComponent(recordKey)}`
}

export function streamPath(stream: string): string {
  return `/v1/streams/${encodeURIComponent(stream)}`
}
