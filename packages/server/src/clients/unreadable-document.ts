import { PdppError } from '@pdpp/protocol'

/** A metadata document that could not be used. `reason` is for the owner alone: it tells what the server can reach. */
export class UnreadableDocument extends PdppError {
  readonly reason: string

  constructor(address: string, error: unknown) {
    super('invalid_client', 'The metadata document of this client could not be used.')
    this.reason = reasonOf(address, error)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
  ABORT_ERR: 'no answer in time',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
}

function reasonOf(address: string, error: unknown): string {
  const host = URL.parse(address)?.host ?? 'the address'
  const words = wordsOf(error)
  if (words !== undefined) return `could not reach ${host}: ${words}`
  return `could not use the description at ${host}: ${error instanceof Error ? error.message : 'unknown'}`
}

/** Where several addresses were tried, the first that failed in a way that we know says it. */
function wordsOf(error: unknown): string | undefined {
  const all = error instanceof AggregateError ? error.errors : [error]
  for (const one of all) {
    const { code, name, message } = one as { code?: unknown; name?: unknown; message?: unknown }
    if (message === 'timed out' || name === 'AbortError' || name === 'TimeoutError') return WORDS['ETIMEDOUT']
    if (typeof code === 'string' && WORDS[code] !== undefined) return WORDS[code]
    if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code)) return 'its certificate is not trusted'
  }
  return
}
