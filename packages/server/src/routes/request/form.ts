import { PdppError } from '@pdpp/protocol'
import { bodyText } from '../../http/request/body.ts'
import type { Http } from '../environment.ts'

const FORM_BYTES = 64 * 1024
export const FORM_TOKEN = 'form_token'

/**
 * Reads a form that one of our pages sent. The form token must be valid for this browser session and purpose. Origin
 * was checked before; Sec-Fetch-Site is checked here if the browser sends it.
 */
export async function readVerifiedForm(c: Http, purpose: string, maxBytes = FORM_BYTES): Promise<URLSearchParams> {
  requireOwnPage(c)
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new PdppError('unsupported_media_type', 'A form must be sent as application/x-www-form-urlencoded.')
  const form = new URLSearchParams(await bodyText(c, maxBytes))
  if (c.get('pageSession').acceptsFormToken(form.get(FORM_TOKEN) ?? '', purpose)) return form
  throw new PdppError('form_expired', 'This form has expired, or belongs to another session.')
}

export function requireOwnPage(c: Http): void {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw new PdppError('origin_not_allowed', 'This form was sent from a page of another site.')
}
