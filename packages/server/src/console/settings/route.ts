import { PdppError } from '@pdpp/protocol'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { sentForm } from '../../routes/request/form.ts'
import { addressScope } from '../connect/address-scope.ts'
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
      context.upkeep.files(),
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
        done: new PageQuery(c).text('done'),
      }),
    )
  }
}

/** POST /settings/address: the same test as on the page that connects assistants. */
export function checkAddress(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await sentForm(c, 'check-address')
    await context.selfTest.run(c.get('requestOrigin').origin, c.get('authority').subjectId)
    return c.redirect('/settings#address', 303)
  }
}

/** POST /settings/retention */
export function saveRetention(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const days = (await sentForm(c, 'retention')).get('days') ?? ''
    if (!/^\d{0,6}$/.test(days))
      throw new PdppError('invalid_argument', 'That is not a number of days.', { param: 'days' })
    await context.receipts.setRetention(c.get('authority').subjectId, days === '' ? null : Number(days))
    return c.redirect('/settings?done=retention', 303)
  }
}

/** POST /settings/events */
export function saveEvents(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const form = await sentForm(c, 'events')
    const sendsEvents = form.get('send') === 'on'
    const allowsPrivate = form.get('private') === 'on'
    await context.eventSettings.change(c.get('authority').subjectId, { sendsEvents, allowsPrivate })
    return c.redirect('/settings?done=retention', 303)
  }
}

/** POST /settings/index */
export function rebuildIndex(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await sentForm(c, 'rebuild-index')
    context.upkeep.rebuild(c.get('authority').subjectId)
    return c.redirect('/settings?done=rebuilding', 303)
  }
}
