import type { Http } from '../../routes/environment.ts'
import { layout, type Page } from './layout.ts'
import { preferences } from './preferences.ts'

export interface SendOptions {
  readonly status?: number
  /** Origins that a form of this page may redirect to. Browsers apply `form-action` to redirects as well. */
  readonly formTargets?: readonly string[]
}

/**
 * Pages that a web application may open in a popup, which reports the result to its opener. Cross-Origin-Opener-Policy
 * on these pages would cut the popup off from its opener for good.
 */
const POPUP_PATHS = /^\/(oauth|owner\/sign-in)(\/|$)/

/** Sends a page with headers that forbid the browser everything the page does not need. */
export async function sendPage(
  c: Http,
  page: Page,
  { status = 200, formTargets = [] }: SendOptions = {},
): Promise<Response> {
  c.header('Content-Security-Policy', policy(formTargets))
  // Not "no-referrer": browsers would then send "Origin: null" with our own forms, and we refuse that origin.
  c.header('Referrer-Policy', 'same-origin')
  c.header('X-Frame-Options', 'DENY')
  if (!POPUP_PATHS.test(c.req.path)) c.header('Cross-Origin-Opener-Policy', 'same-origin')
  c.header('Cross-Origin-Resource-Policy', 'same-origin')
  c.header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()')
  const surroundings = { origin: c.get('requestOrigin').origin, hasDemo: await preferences().hasDemo() }
  return c.html(await layout(page, surroundings), status as 200)
}

function policy(formTargets: readonly string[]): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    // Scripts may fetch from this server only.
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')
}
