import type { Handler } from 'hono'
import type { HttpEnvironment } from '../../http/environment.ts'
import { CONSENT_SCRIPT } from '../../pages/consent-script.ts'
import { ICON } from '../../pages/icon.ts'
import { STYLESHEET } from '../../pages/stylesheet.ts'

/** GET /assets/pages.css: pages name it by its content, so it may be kept. */
export const readStylesheet: Handler<HttpEnvironment> = (c) =>
  c.body(STYLESHEET, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })

/** GET /assets/consent.js: named by its content as well. */
export const readConsentScript: Handler<HttpEnvironment> = (c) =>
  c.body(CONSENT_SCRIPT, 200, {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })

/** GET /icon.svg */
export const readIcon: Handler<HttpEnvironment> = (c) =>
  c.body(ICON, 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=86400',
    'Content-Security-Policy': "default-src 'none'",
  })
