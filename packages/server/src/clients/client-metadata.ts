import { PdppError } from '@pdpp/protocol'
import { withoutClaims } from './claimed-name.ts'
import type { ClientMetadata } from './client-store.ts'
import { redirectUriProblem } from './redirect-uri.ts'

export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'
const GRANT_TYPES = ['authorization_code', 'refresh_token', DEVICE_CODE]
const MAX_REDIRECT_URIS = 20
const MAX_NAME = 100

/**
 * Reads the part of a client's metadata that we store (RFC 7591). Ignores unknown members and values without effect,
 * because hosts send many of them. Redirect URIs are strict: a wrong one is refused, never guessed.
 */
export function parseClientMetadata(input: unknown, ownOrigin?: string): ClientMetadata {
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    throw new PdppError('invalid_client_metadata', 'Client metadata must be a JSON object.')
  const declared = input as Record<string, unknown>
  const redirectUris = parseRedirectUris(declared['redirect_uris'], ownOrigin)
  const name = cleanName(declared['client_name'])
  return {
    ...(name === undefined ? {} : { client_name: name }),
    ...webAddresses(declared),
    redirect_uris: redirectUris,
    grant_types: grantTypes(declared['grant_types'], redirectUris),
    response_types: redirectUris.length > 0 ? ['code'] : [],
    ...(declared['application_type'] === 'web' || declared['application_type'] === 'native'
      ? { application_type: declared['application_type'] }
      : {}),
  }
}

function parseRedirectUris(value: unknown, ownOrigin: string | undefined): string[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_REDIRECT_URIS)
    throw invalidRedirect(`redirect_uris must be a list of at most ${MAX_REDIRECT_URIS}.`)
  value.forEach((uri, index) => {
    const problem = redirectUriProblem(uri, ownOrigin)
    if (problem !== undefined) throw invalidRedirect(`redirect_uris[${index}] ${problem}.`)
  })
  return [...new Set(value as string[])]
}

function grantTypes(value: unknown, redirectUris: readonly string[]): string[] {
  const supported = Array.isArray(value) ? GRANT_TYPES.filter((type) => value.includes(type)) : []
  const usable = redirectUris.length > 0 ? supported : supported.filter((type) => type !== 'authorization_code')
  if (usable.length > 0) return usable
  return redirectUris.length > 0 ? ['authorization_code'] : [DEVICE_CODE]
}

/** Makes a name safe to show: no invisible characters, no changed text direction, no claim of a check, not too long. */
export function cleanName(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.isWellFormed()) return
  const visible = value
    .slice(0, 2000)
    .replace(/\p{C}|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  const claimed = withoutClaims(visible)
  return claimed === undefined ? undefined : [...claimed].slice(0, MAX_NAME).join('')
}

function webAddresses(declared: Record<string, unknown>) {
  const kept: Record<string, string> = {}
  for (const member of ['client_uri', 'logo_uri', 'policy_uri', 'tos_uri']) {
    const value = declared[member]
    if (
      typeof value === 'string' &&
      value.length <= 500 &&
      /^https:\/\/[\x21-\x7e]+$/.test(value) &&
      URL.canParse(value)
    )
      kept[member] = value
  }
  return kept
}

function invalidRedirect(message: string): PdppError {
  return new PdppError('invalid_client_metadata', message, { param: 'redirect_uris' })
}
