import { UsageError } from '../terminal/failure.ts'

/** True for the address of a server, which can be the first argument of `read` commands. */
export const isAddress = (word: string | undefined): word is string => /^https?:\/\//i.test(word ?? '')

/** Normalises the address of a server: drops the query and a trailing `/mcp`, and adds https to a bare host. */
export function providerAddress(text: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${isLocal(text) ? 'http' : 'https'}://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new UsageError(`"${text}" is not an http or https address.`, 'Write it like https://data.example.org')
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      'The address must not contain a user name or password.',
      'Leave them out. `pdpp connect` gets a token.',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/mcp$/, '')
}

const isLocal = (text: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])([:/]|$)/i.test(text)

/** True if the traffic is encrypted or never leaves this machine. */
export function isPrivateEnough(providerUrl: string): boolean {
  const { protocol, host } = new URL(providerUrl)
  return protocol === 'https:' || isLocal(host)
}

/** True if a service on the internet could reach the server. */
export function isPublicAddress(providerUrl: string): boolean {
  const { hostname, protocol } = new URL(providerUrl)
  if (protocol !== 'https:') return false
  return !/^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[|0\.)|\.(local|localhost|internal|lan|home|test)$/i.test(
    hostname,
  )
}
