import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import { deleteCookie, setCookie } from 'hono/cookie'
import type { Context } from '../../context.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { addressScope } from '../connect/address-scope.ts'
import { knownZone, THEME_COOKIE, THEMES } from '../frame/preferences.ts'
import { sendPage } from '../frame/send.ts'
import { settingsPage } from './page.ts'

/** GET /settings */
export function showSettings(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const { subjectId } = c.get('authority')
    const { origin } = c.get('requestOrigin')
    const { last } = context.selfTest
    const [sessions, hasPassword, retentionDays, index, files, backup, exported, smoothed] = await Promise.all([
      context.sessions.list(subjectId),
      context.signIn.hasPassword(subjectId),
      context.receipts.retentionDays(subjectId),
      context.upkeep.indexState(subjectId),
      context.upkeep.files(subjectId),
      context.archives.last(subjectId, 'backup'),
      context.archives.last(subjectId, 'export'),
      context.sources.smoothed(subjectId),
    ])
    return sendPage(
      c,
      settingsPage({
        pageSession: c.get('pageSession'),
        hasPassword,
        sessions: sessions.length,
        address: { origin, isSet: context.config.publicUrl !== undefined, reach: addressScope(origin) },
        result: last?.origin === origin ? last : undefined,
        retentionDays,
        events: {
          sendsEvents: await context.eventSettings.sendsEvents(subjectId),
          allowsPrivate: await context.eventSettings.allowsPrivate(subjectId),
        },
        index,
        files,
        dataDir: context.config.dataDir,
        backup,
        exported,
        smoothed,
        hasDemo: await context.demo.isLoaded(),
        done: new PageQuery(c).text('done'),
      }),
    )
  }
}

const YEAR_S = 31_536_000

/**
 * POST /settings/appearance: stores the zone for the owner, and the colours in a cookie, because each device has its
 * own.
 */
export function saveAppearance(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await readVerifiedForm(c, 'appearance')
    const theme = THEMES.find((name) => name === form.get('theme'))
    const zone = form.get('zone')?.trim() || undefined
    if (zone !== undefined && knownZone(zone) === undefined)
      throw new PdppError('invalid_argument', `There is no time zone "${zone.slice(0, 60)}".`, {
        param: 'zone',
        nextStep: 'Write it like Europe/Berlin, or leave it empty to use the zone of your browser.',
      })
    const secure = c.get('requestOrigin').origin.startsWith('https:')
    const options = { path: '/', maxAge: YEAR_S, sameSite: 'Lax', httpOnly: true, secure } as const
    await context.imports.zone.save(c.get('authority').subjectId, knownZone(zone))
    if (theme === undefined) deleteCookie(c, THEME_COOKIE, options)
    else setCookie(c, THEME_COOKIE, theme, options)
    return c.redirect('/settings?done=appearance', 303)
  }
}

/** POST /settings/address: runs the same test as the page that connects agents. */
export function checkAddress(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'check-address')
    await context.selfTest.run(c.get('requestOrigin').origin, c.get('authority').subjectId)
    return c.redirect('/settings#address', 303)
  }
}

/** POST /settings/retention */
export function saveRetention(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const days = (await readVerifiedForm(c, 'retention')).get('days') ?? ''
    if (!/^\d{0,6}$/.test(days))
      throw new PdppError('invalid_argument', 'That is not a number of days.', { param: 'days' })
    await context.receipts.setRetention(c.get('authority').subjectId, days === '' ? null : Number(days))
    return c.redirect('/settings?done=retention', 303)
  }
}

/** POST /settings/events */
export function saveEvents(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await readVerifiedForm(c, 'events')
    const sendsEvents = form.get('send') === 'on'
    const allowsPrivate = form.get('private') === 'on'
    await context.eventSettings.change(c.get('authority').subjectId, { sendsEvents, allowsPrivate })
    return c.redirect('/settings?done=retention', 303)
  }
}

/** POST /settings/index */
export function rebuildIndex(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'rebuild-index')
    context.upkeep.rebuild(c.get('authority').subjectId)
    return c.redirect('/settings?done=rebuilding', 303)
  }
}
