import type { Handler } from 'hono'
import type { Http, HttpEnvironment } from '../routes/environment.ts'
import { CONNECT_SCRIPT } from './connect/script.ts'
import { CONSENT_SCRIPT } from './consent/script.ts'
import { FRAME_SCRIPT } from './frame/frame-script.ts'
import { ICON } from './frame/icon.ts'
import { ICON_SPRITE } from './frame/icons.ts'
import { IMPORT_SCRIPT } from './imports/script.ts'
import { STYLESHEET } from './style/stylesheet.ts'

/** GET /assets/pages.css. Its address contains a hash of the content, so browsers may cache it for ever. */
export const readStylesheet: Handler<HttpEnvironment> = (c) =>
  c.body(STYLESHEET, 200, {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  })

/** GET /assets/consent.js */
export const readConsentScript: Handler<HttpEnvironment> = (c) => script(c, CONSENT_SCRIPT)

/** GET /assets/connect.js */
export const readConnectScript: Handler<HttpEnvironment> = (c) => script(c, CONNECT_SCRIPT)

/** GET /assets/frame.js */
export const readFrameScript: Handler<HttpEnvironment> = (c) => script(c, FRAME_SCRIPT)

/** GET /assets/import.js */
export const readImportScript: Handler<HttpEnvironment> = (c) => script(c, IMPORT_SCRIPT)

const script = (c: Http, text: string) =>
  c.body(text, 200, {
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

/** GET /assets/icons.svg */
export const readIcons: Handler<HttpEnvironment> = (c) =>
  c.body(ICON_SPRITE, 200, {
    'Content-Type': 'image/svg+xml',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'",
  })
