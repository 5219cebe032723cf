import { PdppError } from '@pdpp/protocol'
import { getCookie, setCookie } from 'hono/cookie'
import { OPENED_SECONDS } from '../../authorization/requests/pushed-requests.ts'
import { storedName } from '../../authorization/tokens/secrets.ts'
import type { Context } from '../../context.ts'
import type { Http } from '../environment.ts'

const PATH = '/oauth/authorize'

/**
 * Opens a pushed request, which works once. Returns undefined the first time, and if there is no such request; the
 * engine then answers. If the same browser opens it again, returns where the request continues. Other browsers are
 * refused.
 */
export async function openPushed(context: Context, c: Http, params: URLSearchParams): Promise<string | undefined> {
  const requestUri = params.get('request_uri')
  const { pushed, flowClients } = context.authorization
  if (requestUri === null || (await flowClients.pushedBy(requestUri)) !== params.get('client_id')) return
  if (await pushed.open(requestUri)) return
  const location = await pushed.locationFor(requestUri, getCookie(c, cookieName(c, requestUri)))
  if (location !== undefined) return location
  throw new PdppError('invalid_request', 'This request has already been opened, and it can be opened only once.', {
    nextStep: 'Start again from the application that wants to connect.',
  })
}

/** Sets a cookie by which `openPushed` recognises the browser that opened a pushed request. */
export async function keepOpened(context: Context, c: Http, params: URLSearchParams, location: string): Promise<void> {
  const requestUri = params.get('request_uri')
  if (requestUri === null) return
  const secret = await context.authorization.pushed.remember(requestUri, location)
  const secure = c.get('requestOrigin').origin.startsWith('https:')
  const options = { path: PATH, httpOnly: true, sameSite: 'Lax', secure, maxAge: OPENED_SECONDS } as const
  setCookie(c, cookieName(c, requestUri), secret, options)
}

/** Each request has its own cookie, because a browser may have two requests open. */
function cookieName(c: Http, requestUri: string): string {
  const prefix = c.get('requestOrigin').origin.startsWith('https:') ? '__Secure-' : ''
  return `${prefix}pdpp_opened_${storedName('cookie', requestUri).slice(0, 12)}`
}
