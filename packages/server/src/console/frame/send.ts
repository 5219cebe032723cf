import type { Http } from '../../routes/environment.ts'
import { layout, type Page } from './layout.ts'

export interface SendOptions {
  readonly status?: number
  /** Origins that a form of this page may lead on to: browsers hold a form's redirects to it as well. */
  readonly formTargets?: readonly string[]
}

/**
 * Pages that a web application may open in a window of its own, which tells it afterwards how it went: cut off from
 * it here, the window would stay so when the browser is back at the application.
 */
const ON_THE_WAY = /^\/(oauth|owner\/sign-in)(\/|$)/

/** A page as an answer, with everything a browser is to be forbidden. */
export async function sendPage(
  c: Http,
  page: Page,
  { status = 200, formTargets = [] }: SendOptions = {},
): Promise<Response> {
  c.header('Content-Security-Policy', policy(formTargets, page.script !== undefined))
  // Not "no-referrer": with that a browser sends "Origin: null" with our own forms, which must stay refusable.
  c.header('Referrer-Policy', 'same-origin')
  c.header('X-Frame-Options', 'DENY')
  if (!ON_THE_WAY.test(c.req.path)) c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  return c.html(await layout(page), status as 200)
}

function policy(formTargets: readonly string[], script: boolean): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    // The script of a page talks to where the page came from.
    ...(script ? ["script-src 'self'", "connect-src 'self'"] : []),
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
