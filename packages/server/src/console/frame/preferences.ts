import { AsyncLocalStorage } from 'node:async_hooks'
import type { MiddlewareHandler } from 'hono'
import { getCookie } from 'hono/cookie'
import { type Context, OWNER } from '../../context.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'

/** The zone that the browser reported. The page's script writes it. */
const SEEN_ZONE_COOKIE = 'pdpp_zone_seen'
export const THEME_COOKIE = 'pdpp_theme'

export const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]

/** How pages look: in the owner's zone, and with this browser's settings, which are in cookies. */
interface Preferences {
  readonly zone: string
  /** Undefined if the browser's own zone is used. */
  readonly chosenZone: string | undefined
  readonly theme: Theme | undefined
  /** Whether demo data is loaded. Every page shows a line about it. */
  readonly hasDemo: () => Promise<boolean>
  /** The `pdpp` command as the owner types it. */
  readonly command: string
}

const current = new AsyncLocalStorage<Preferences>()
/** Without a cookie the best guess is the zone of the server, which is often the owner's own computer. */
const SERVER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** Makes the preferences available to all code that renders this request's page. */
export function readPreferences(context: Context): MiddlewareHandler<HttpEnvironment> {
  // A page that reports a damaged store must not fail for the same reason.
  const hasDemo = () => context.demo.isLoaded().catch(() => false)
  const command = context.archives.command?.typed ?? 'pdpp'
  const ownZone = () => context.imports.zone.read(OWNER).catch(() => undefined)
  return async (c, next) => {
    const chosenZone = await ownZone()
    const theme = THEMES.find((name) => name === getCookie(c, THEME_COOKIE))
    const zone = chosenZone ?? knownZone(getCookie(c, SEEN_ZONE_COOKIE)) ?? SERVER_ZONE
    return current.run({ zone, chosenZone, theme, hasDemo, command }, next)
  }
}

export const preferences = (): Preferences =>
  current.getStore() ?? {
    zone: SERVER_ZONE,
    chosenZone: undefined,
    theme: undefined,
    hasDemo: async () => false,
    command: 'pdpp',
  }

/** The standard name of the zone, or undefined if there is no such zone. */
export function knownZone(name: string | undefined): string | undefined {
  if (name === undefined || !/^[A-Za-z0-9_+/-]{1,60}$/.test(name)) return
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return
  }
}
