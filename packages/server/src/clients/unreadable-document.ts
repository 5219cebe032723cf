import { PdppError } from '@pdpp/protocol'

/** A metadata document that could not be used. Only the owner may see `reason`: it shows what the server can reach. */
export class UnreadableDocument extends PdppError {
  readonly reason: string

  constructor(address: string, error: unknown) {
    super('invalid_client', 'The metadata document of this client could not be used.')
    this.reason = reasonOf(address, error)
  }
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ETIMEDOUT: 'no answer in time',
  ABORT_ERR: 'no answer in time',
  EHOSTUNREACH: 'the network cannot reach it',
  ENETUNREACH: 'the network cannot reach it',
}

function reasonOf(address: string, error: unknown): string {
  const host = URL.parse(address)?.host ?? 'the address'
  const text = errorText(error)
  if (text !== undefined) return `could not reach ${host}: ${text}`
  return `could not use the description at ${host}: ${error instanceof Error ? error.message : 'unknown'}`
}

/** If several addresses were tried, describes the first known error. */
function errorText(error: unknown): string | undefined {
  const all = error instanceof AggregateError ? error.errors : [error]
  for (const one of all) {
    const { code, name, message } = one as { code?: unknown; name?: unknown; message?: unknown }
    if (message === 'timed out' || name === 'AbortError' || name === 'TimeoutError') return ERROR_TEXTS['ETIMEDOUT']
    if (typeof code === 'string' && ERROR_TEXTS[code] !== undefined) return ERROR_TEXTS[code]
    if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code)) return 'its certificate is not trusted'
  }
  return
}
