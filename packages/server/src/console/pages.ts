import type { Hono } from 'hono'
import type { Context } from '../context.ts'
import type { Http, HttpEnvironment } from '../routes/environment.ts'
import { loadSession, requireOwner } from '../routes/guards/owner-session.ts'
import { changeGrant, narrowGrant, showGrant, stopSubscription } from './access/grant-route.ts'
import {
  changeAll,
  changePackage,
  endClient,
  revokePackage,
  showAccess,
  showClient,
  showClients,
  showPackage,
  unlistClient,
} from './access/route.ts'
import { decideOnWish } from './access/wish-route.ts'
import { checkReceipts, exportReceipts, showReceipts } from './activity/route.ts'
import {
  readConnectScript,
  readConsentScript,
  readFrameScript,
  readIcon,
  readIcons,
  readImportScript,
  readStylesheet,
} from './assets.ts'
import { browse } from './browse/route.ts'
import { readConnected, showConnect, showConnected, testConnection } from './connect/route.ts'
import { enterDevice, showDevice } from './consent/device-route.ts'
import { decideConsent, showConsent } from './consent/route.ts'
import { chooseDemo, chooseOwn, removeDemo } from './home/first-run-route.ts'
import { start } from './home/route.ts'
import { showImports, uploadFiles } from './imports/list-route.ts'
import { actOnImport, correctPlan, downloadProblems, readProgress, showImport } from './imports/route.ts'
import { downloadField, showRecord } from './record/route.ts'
import { makeArchive, showArchive } from './settings/archive-route.ts'
import { changePassword, showPassword } from './settings/password-route.ts'
import {
  checkAddress,
  rebuildIndex,
  saveAppearance,
  saveEvents,
  saveRetention,
  showSettings,
} from './settings/route.ts'
import { endSession, showSessions } from './settings/sessions-route.ts'
import { followLink, showLink, showSignIn, signIn, signOut } from './sign-in/route.ts'
import { showSources } from './sources/route.ts'
import { makeNewAccess, showNewAccess } from './widening/new-route.ts'
import { decideWidening, showWidening } from './widening/route.ts'

/** Old addresses of pages. Bookmarks and links in answers of agents still use them. */
const MOVED_PAGES = [
  ['/explore', '/browse'],
  ['/access', '/agents'],
  ['/receipts', '/activity'],
  ['/connect', '/agents/connect'],
] as const

function movedPage(c: Http, before: string, now: string): Response {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(now + pathname.slice(before.length) + search, 301)
}

/** Adds every page of the console, and the scripts and styles of the pages. */
export function addPages(app: Hono<HttpEnvironment>, context: Context): void {
  const page = requireOwner(context)
  const withSession = loadSession(context)

  app.get('/', start(context))
  app.get('/oauth/consent/:uid', page, showConsent(context))
  app.post('/oauth/consent/:uid', page, decideConsent(context))
  app.get('/device', page, showDevice)
  app.post('/device', page, enterDevice(context))
  app.get('/icon.svg', readIcon)
  app.get('/assets/pages.css', readStylesheet)
  app.get('/assets/consent.js', readConsentScript)
  app.get('/assets/frame.js', readFrameScript)
  app.get('/assets/connect.js', readConnectScript)
  app.get('/assets/icons.svg', readIcons)
  app.get('/assets/import.js', readImportScript)
  app.get('/r/:id', page, showRecord(context))
  app.get('/r/:id/file', page, downloadField(context))
  app.get('/owner/sign-in', withSession, showSignIn)
  app.post('/owner/sign-in', withSession, signIn(context))
  app.get('/owner/sign-in/link/:token', withSession, showLink(context))
  app.post('/owner/sign-in/link/:token', withSession, followLink(context))
  app.post('/owner/sign-out', withSession, signOut(context))
  app.get('/owner/password', page, showPassword(context))
  app.post('/owner/password', page, changePassword(context))
  app.get('/owner/sessions', page, showSessions(context))
  app.post('/owner/sessions/:id/end', page, endSession(context))
  app.get('/browse', page, browse(context))
  app.get('/import', page, showImports(context))
  app.post('/import', page, uploadFiles(context))
  app.get('/import/:id', page, showImport(context))
  app.get('/import/:id/progress', page, readProgress(context))
  app.get('/import/:id/problems', page, downloadProblems(context))
  app.post('/import/:id/plan', page, correctPlan(context))
  app.post('/import/:id/start', page, actOnImport(context, 'start'))
  app.post('/import/:id/stop', page, actOnImport(context, 'stop'))
  app.post('/import/:id/undo', page, actOnImport(context, 'undo'))
  app.post('/import/:id/discard', page, actOnImport(context, 'discard'))
  app.get('/activity', page, showReceipts(context))
  app.get('/activity/export', page, exportReceipts(context))
  app.post('/activity/check', page, checkReceipts(context))
  app.get('/agents/connect', page, showConnect(context))
  app.get('/agents/connected', page, showConnected(context))
  app.get('/agents/connect/status', page, readConnected(context))
  app.post('/agents/connect/test', page, testConnection(context))
  app.get('/settings', page, showSettings(context))
  app.post('/settings/address', page, checkAddress(context))
  app.post('/settings/appearance', page, saveAppearance(context))
  app.post('/settings/retention', page, saveRetention(context))
  app.post('/settings/events', page, saveEvents(context))
  app.post('/settings/index', page, rebuildIndex(context))
  app.get('/settings/backup', page, showArchive(context, 'backup'))
  app.post('/settings/backup', page, makeArchive(context, 'backup'))
  app.get('/settings/export', page, showArchive(context, 'export'))
  app.post('/settings/export', page, makeArchive(context, 'export'))
  app.get('/sources', page, showSources(context))
  app.post('/first-run/demo', page, chooseDemo(context))
  app.post('/first-run/own', page, chooseOwn(context))
  app.post('/demo/remove', page, removeDemo(context))
  for (const [before, now] of MOVED_PAGES) app.get(`${before}/*`, (c) => movedPage(c, before, now))
  app.get('/owner', (c) => c.redirect('/', 302))
  app.get('/agents', page, showAccess(context))
  app.get('/agents/new', page, showNewAccess(context))
  app.post('/agents/new', page, makeNewAccess(context))
  app.get('/agents/grants/:id', page, showGrant(context))
  app.post('/agents/grants/:id/pause', page, changeGrant(context, 'pause'))
  app.post('/agents/grants/:id/resume', page, changeGrant(context, 'resume'))
  app.post('/agents/grants/:id/revoke', page, changeGrant(context, 'revoke'))
  app.post('/agents/grants/:id/narrow', page, narrowGrant(context))
  app.post('/agents/grants/:id/subscriptions/:subscription/stop', page, stopSubscription(context))
  app.get('/agents/packages/:id', page, showPackage(context))
  app.post('/agents/packages/:id/revoke', page, revokePackage(context))
  app.post('/agents/packages/:id/pause', page, changePackage(context, 'pause'))
  app.post('/agents/packages/:id/resume', page, changePackage(context, 'resume'))
  app.post('/agents/pause-all', page, changeAll(context, 'pause'))
  app.post('/agents/resume-all', page, changeAll(context, 'resume'))
  app.get('/wishes/:token', page, showWidening(context))
  app.post('/wishes/:token', page, decideWidening(context))
  app.get('/agents/grants/:id/widen', page, showWidening(context))
  app.post('/agents/grants/:id/widen', page, decideWidening(context))
  app.get('/agents/packages/:id/widen', page, showWidening(context))
  app.post('/agents/packages/:id/widen', page, decideWidening(context))
  app.post('/agents/wishes/:id/deny', page, decideOnWish(context, 'deny'))
  app.post('/agents/wishes/:id/silence', page, decideOnWish(context, 'silence'))
  app.post('/agents/wishes/:id/forget', page, decideOnWish(context, 'forget'))
  app.get('/agents/clients', page, showClients(context))
  app.get('/agents/clients/:id', page, showClient(context))
  app.post('/agents/clients/:id/end', page, endClient(context))
  app.post('/agents/clients/:id/unlist', page, unlistClient(context))
}
