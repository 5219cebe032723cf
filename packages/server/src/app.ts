import { PdppError } from '@pdpp/protocol'
import { Hono, type MiddlewareHandler } from 'hono'
import { authorizationServerMetadata } from './authorization/metadata.ts'
import {
  changeGrant,
  narrowGrant as narrowGrantForm,
  showGrant,
  stopSubscription as stopSubscriptionForm,
} from './console/access/grant-route.ts'
import {
  changeAll,
  changePackage as changePackageForm,
  endClient,
  revokePackage as revokePackageForm,
  showAccess,
  showClient,
  showClients,
  showPackage,
  unlistClient,
} from './console/access/route.ts'
import { decideOnWish } from './console/access/wish-route.ts'
import { checkReceipts, exportReceipts, showReceipts } from './console/activity/route.ts'
import {
  readConnectScript,
  readConsentScript,
  readFrameScript,
  readIcon,
  readIcons,
  readImportScript,
  readStylesheet,
} from './console/assets.ts'
import { browse } from './console/browse/route.ts'
import { readConnected, showConnect, showConnected, testConnection } from './console/connect/route.ts'
import { enterDevice, showDevice } from './console/consent/device-route.ts'
import { refusedRequestPage } from './console/consent/refused-request-page.ts'
import { decideConsent, showConsent } from './console/consent/route.ts'
import { errorPage } from './console/frame/error-page.ts'
import { readPreferences } from './console/frame/preferences.ts'
import { sendPage } from './console/frame/send.ts'
import { chooseDemo, chooseOwn, removeDemo } from './console/home/first-run-route.ts'
import { start } from './console/home/route.ts'
import { showImports, uploadFiles } from './console/imports/list-route.ts'
import { actOnImport, correctPlan, downloadProblems, readProgress, showImport } from './console/imports/route.ts'
import { downloadField, showRecord } from './console/record/route.ts'
import { makeArchive, showArchive } from './console/settings/archive-route.ts'
import { changePassword, showPassword } from './console/settings/password-route.ts'
import {
  checkAddress,
  rebuildIndex,
  saveAppearance,
  saveEvents,
  saveRetention,
  showSettings,
} from './console/settings/route.ts'
import { endSession, showSessions } from './console/settings/sessions-route.ts'
import { followLink, showLink, showSignIn, signIn, signOut } from './console/sign-in/route.ts'
import { showSources } from './console/sources/route.ts'
import { makeNewAccess, showNewAccess } from './console/widening/new-route.ts'
import { decideWidening, showWidening } from './console/widening/route.ts'
import type { Context } from './context.ts'
import { DirectRoutes } from './http/direct/direct-routes.ts'
import { logRequests } from './http/guards/request-log.ts'
import { assignRequestId } from './http/request/request-id.ts'
import { guardHostAndOrigin, requestOrigins } from './http/request/request-origin.ts'
import { errorResponse } from './http/response/error-response.ts'
import { developerProtectedResource, mcpProtectedResource, protectedResource } from './routes/discovery.ts'
import type { Http, HttpEnvironment } from './routes/environment.ts'
import { readEvents } from './routes/events/events.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  readSubscription,
  sendTestEvent,
  updateSubscription,
} from './routes/events/subscriptions.ts'
import { ownerAccess, readAccess } from './routes/guards/authenticate.ts'
import { crossOrigin, isOpenTo } from './routes/guards/cross-origin.ts'
import { loadSession, requireOwner } from './routes/guards/owner-session.ts'
import { mcpEndpoint } from './routes/mcp/endpoint.ts'
import type { InProcessApp } from './routes/mcp/in-process-resource-server.ts'
import { pollConnecting, push, startConnecting } from './routes/oauth/agent-connect.ts'
import { authorize, begin, token } from './routes/oauth/engine.ts'
import { introspect } from './routes/oauth/introspect.ts'
import type { RefusedRequestPage } from './routes/oauth/refused-request.ts'
import { registerClient } from './routes/oauth/register.ts'
import { revokeToken } from './routes/oauth/revoke.ts'
import { noteArchive, readArchives } from './routes/owner/archives.ts'
import { uploadBlob } from './routes/owner/blobs.ts'
import { listClients, readClient, revokeClient, setMayAskFullAccess } from './routes/owner/clients.ts'
import { createConnection, deleteConnection, listConnections, renameConnection } from './routes/owner/connections.ts'
import { declareConnector, readConnector, readConnectorWarnings } from './routes/owner/connectors.ts'
import { deleteDemo, readDemo } from './routes/owner/demo.ts'
import { erase } from './routes/owner/erasure.ts'
import {
  createGrant,
  listGrants,
  narrowGrant,
  pauseGrant,
  readGrant,
  resumeGrant,
  revokeGrant,
} from './routes/owner/grants.ts'
import { announceImport, endImport, readImportZone, saveImportZone } from './routes/owner/imports.ts'
import { deleteRecord, deleteStream, ingestRecords } from './routes/owner/ingest.ts'
import { changePackage, createPackage, listPackages, readPackage, revokePackage } from './routes/owner/packages.ts'
import { writePassword } from './routes/owner/password.ts'
import { listReceipts } from './routes/owner/receipts.ts'
import { readSettings, writeSettings } from './routes/owner/settings.ts'
import { readState, writeState } from './routes/owner/state.ts'
import { listAllSubscriptions, stopSubscription } from './routes/owner/subscriptions.ts'
import { decideWish, forgetWish, listWishes, readWish } from './routes/owner/wishes.ts'
import { withRequestAddress } from './routes/response/request-address.ts'
import { readAggregate } from './routes/v1/aggregate.ts'
import { readBlob } from './routes/v1/blob.ts'
import { readFieldWindow } from './routes/v1/field-window.ts'
import { readRecord } from './routes/v1/record.ts'
import { listRecords } from './routes/v1/records-list.ts'
import { relationsOnly } from './routes/v1/relations-only.ts'
import { readSchema } from './routes/v1/schema.ts'
import { refuseSearchMode, searchRecords } from './routes/v1/search.ts'
import { listConnectors, listStreams, readStream } from './routes/v1/streams.ts'
import { tokenKind } from './routes/v1/token-kind.ts'

/** The most frequent reads. They and tool calls bypass Hono. */
const DIRECT = [
  '/v1/search',
  '/v1/streams/:stream/aggregate',
  '/v1/streams/:stream/records',
  '/v1/streams/:stream/records/:id',
]

/** `direct` contains the routes of the most frequent requests a second time. */
export type App = Hono<HttpEnvironment> & { readonly direct: DirectRoutes }

export interface AppOptions {
  /** The address that the server listens on: the fallback origin for in-process calls, which have no socket. */
  readonly address: () => string
  readonly log: (line: string) => void
}

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

/** Builds the app: the list of all routes, the guards before them, and the error handling after them. */
export function createApp(context: Context, { address, log }: AppOptions): App {
  const app = new Hono<HttpEnvironment>()
  const { config } = context
  const logError = config.log === 'none' ? () => {} : log
  const errorOptions = (c: Http) => ({
    store: context.storage,
    log: logError,
    sendErrorPage: (error: PdppError, requestId: string) =>
      sendPage(c, errorPage(error, requestId), { status: error.status }),
  })
  const onError = (error: Error, c: Http) => {
    context.damage.note(error)
    return errorResponse(withRequestAddress(context, error, c), c, errorOptions(c))
  }
  const read = (operation: string) => readAccess(context, operation)
  const owner = ownerAccess(context)
  const page = requireOwner(context)
  const withSession = loadSession(context)

  const refusedRequest: RefusedRequestPage = (c, refused, status) =>
    sendPage(c, refusedRequestPage(refused), { status })

  if (config.log === 'requests') app.use(logRequests(log))
  const guards = [assignRequestId(guardHostAndOrigin(requestOrigins(config, address), isOpenTo)), crossOrigin(context)]
  for (const guard of guards) app.use(guard as MiddlewareHandler<HttpEnvironment>)
  const inProcess: InProcessApp = {
    fetch: (request, env) => app.fetch(request, env),
    direct: (parts) => direct.answer(parts),
  }
  app.post('/mcp', mcpEndpoint(context, inProcess, 'mcp'))
  app.post('/mcp/developer', mcpEndpoint(context, inProcess, 'mcp-developer'))

  // The routes above have no pages.
  app.use(readPreferences(context))
  app.get('/', start(context))
  app.get('/.well-known/oauth-protected-resource', (c) => c.json(protectedResource(c.get('requestOrigin').origin)))
  app.get('/.well-known/oauth-protected-resource/mcp', (c) =>
    c.json(mcpProtectedResource(c.get('requestOrigin').origin)),
  )
  app.get('/.well-known/oauth-protected-resource/mcp/developer', (c) =>
    c.json(developerProtectedResource(c.get('requestOrigin').origin)),
  )
  app.get('/.well-known/oauth-authorization-server', (c) =>
    c.json(authorizationServerMetadata(c.get('requestOrigin').origin)),
  )
  app.get('/oauth/authorize', authorize(context, refusedRequest))
  app.get('/oauth/authorize/:uid', authorize(context, refusedRequest))
  app.get('/oauth/consent/:uid', page, showConsent(context))
  app.post('/oauth/consent/:uid', page, decideConsent(context))
  app.post('/oauth/token', token(context))
  app.post('/oauth/par', push(context))
  app.post('/oauth/device_authorization', begin(context))
  app.post('/oauth/register', registerClient(context))
  app.post('/oauth/revoke', revokeToken(context))
  app.post('/introspect', introspect(context))
  app.get('/device', page, showDevice)
  app.post('/device', page, enterDevice(context))
  app.post('/agent-connect', startConnecting(context))
  app.post('/agent-connect/:id/token', pollConnecting(context))

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
  app.post('/agents/grants/:id/narrow', page, narrowGrantForm(context))
  app.post('/agents/grants/:id/subscriptions/:subscription/stop', page, stopSubscriptionForm(context))
  app.get('/agents/packages/:id', page, showPackage(context))
  app.post('/agents/packages/:id/revoke', page, revokePackageForm(context))
  app.post('/agents/packages/:id/pause', page, changePackageForm(context, 'pause'))
  app.post('/agents/packages/:id/resume', page, changePackageForm(context, 'resume'))
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

  app.get('/v1/schema', tokenKind(context), relationsOnly(context), read('schema'), readSchema(context))
  app.get('/v1/search', read('search'), searchRecords(context))
  app.get('/v1/search/semantic', read('search'), refuseSearchMode('semantic'))
  app.get('/v1/search/hybrid', read('search'), refuseSearchMode('hybrid'))
  app.get('/v1/connectors', read('connectors'), listConnectors(context))
  app.get('/v1/streams', read('streams'), listStreams(context))
  app.get('/v1/streams/:stream', read('stream'), readStream(context))
  app.get('/v1/streams/:stream/aggregate', read('aggregate'), readAggregate(context))
  app.get('/v1/streams/:stream/records', read('records'), listRecords(context))
  app.get('/v1/streams/:stream/records/:id', read('record'), readRecord(context))
  app.get('/v1/streams/:stream/records/:id/field-window', read('field_window'), readFieldWindow(context))
  app.get('/v1/blobs/:blob', read('blob'), readBlob(context))

  app.get('/v1/event-subscriptions', read('event_subscriptions'), listSubscriptions(context))
  app.post('/v1/event-subscriptions', read('create_event_subscription'), createSubscription(context))
  app.get('/v1/event-subscriptions/:id', read('event_subscription'), readSubscription(context))
  app.patch('/v1/event-subscriptions/:id', read('update_event_subscription'), updateSubscription(context))
  app.delete('/v1/event-subscriptions/:id', read('delete_event_subscription'), deleteSubscription(context))
  app.post('/v1/event-subscriptions/:id/test-event', read('send_test_event'), sendTestEvent(context))
  app.get('/v1/event-subscriptions/:id/events', read('event_delivery'), readEvents(context))

  app.post('/connectors', owner, declareConnector(context))
  app.get('/connectors/:id', owner, readConnector(context))
  app.get('/connectors/:id/warnings', owner, readConnectorWarnings(context))
  app.post('/v1/ingest/:stream', owner, ingestRecords(context))
  app.post('/v1/blobs', owner, uploadBlob(context))
  app.delete('/v1/streams/:stream/records', owner, deleteStream(context))
  app.delete('/v1/streams/:stream/records/:id', owner, deleteRecord(context))
  app.get('/v1/state/:connector', owner, readState(context))
  app.put('/v1/state/:connector', owner, writeState(context))
  app.post('/v1/owner/imports', owner, announceImport(context))
  app.post('/v1/owner/imports/:id/end', owner, endImport(context))
  app.get('/v1/owner/demo', owner, readDemo(context))
  app.delete('/v1/owner/demo', owner, deleteDemo(context))
  app.get('/v1/owner/imports/zone', owner, readImportZone(context))
  app.put('/v1/owner/imports/zone', owner, saveImportZone(context))
  app.get('/v1/owner/connections', owner, listConnections(context))
  app.post('/v1/owner/connections', owner, createConnection(context))
  app.patch('/v1/owner/connections/:id', owner, renameConnection(context))
  app.delete('/v1/owner/connections/:id', owner, deleteConnection(context))
  app.get('/v1/owner/clients', owner, listClients(context))
  app.get('/v1/owner/clients/:id', owner, readClient(context))
  app.post('/v1/owner/clients/:id/revoke', owner, revokeClient(context))
  app.put('/v1/owner/clients/:id/full-access', owner, setMayAskFullAccess(context))
  app.get('/v1/owner/grants', owner, listGrants(context))
  app.post('/v1/owner/grants', owner, createGrant(context))
  app.get('/v1/owner/grants/:id', owner, readGrant(context))
  app.post('/v1/owner/grants/:id/revoke', owner, revokeGrant(context))
  app.post('/grants/:id/revoke', owner, revokeGrant(context))
  app.post('/v1/owner/grants/:id/pause', owner, pauseGrant(context))
  app.post('/v1/owner/grants/:id/resume', owner, resumeGrant(context))
  app.post('/v1/owner/grants/:id/narrow', owner, narrowGrant(context))
  app.get('/v1/owner/packages', owner, listPackages(context))
  app.post('/v1/owner/packages', owner, createPackage(context))
  app.get('/v1/owner/packages/:id', owner, readPackage(context))
  app.post('/v1/owner/packages/:id/revoke', owner, revokePackage(context))
  app.post('/v1/owner/packages/:id/pause', owner, changePackage(context, 'pause'))
  app.post('/v1/owner/packages/:id/resume', owner, changePackage(context, 'resume'))
  app.get('/v1/owner/wishes', owner, listWishes(context))
  app.get('/v1/owner/wishes/:id', owner, readWish(context))
  app.post('/v1/owner/wishes/:id/deny', owner, decideWish(context, 'denied'))
  app.post('/v1/owner/wishes/:id/silence', owner, decideWish(context, 'silenced'))
  app.delete('/v1/owner/wishes/:id', owner, forgetWish(context))
  app.get('/v1/owner/subscriptions', owner, listAllSubscriptions(context))
  app.post('/v1/owner/subscriptions/:id/stop', owner, stopSubscription(context))
  app.post('/v1/owner/erase', owner, erase(context))
  app.get('/v1/owner/archives', owner, readArchives(context))
  app.post('/v1/owner/archives', owner, noteArchive(context))
  app.put('/v1/owner/password', owner, writePassword(context))
  app.get('/v1/owner/receipts', owner, listReceipts(context))
  app.get('/v1/owner/settings', owner, readSettings(context))
  app.patch('/v1/owner/settings', owner, writeSettings(context))

  for (const [path, methods] of methodsByPath(app)) {
    app.all(path, (c) => {
      c.header('Allow', methods.join(', '))
      throw new PdppError('method_not_allowed', `This address only accepts ${methods.join(', ')}.`)
    })
  }
  app.notFound((c) => {
    const error = new PdppError('not_found', 'There is nothing at this address.', { reason: 'address' })
    return errorResponse(error, c, errorOptions(c))
  })
  app.onError(onError)
  const direct = new DirectRoutes(guards, onError)
  // The log needs the route that Hono matched, so logged requests do not bypass Hono.
  if (config.log !== 'requests') {
    for (const path of DIRECT) direct.add('GET', path, ...stepsOf(app, 'GET', path))
    direct.add('POST', '/mcp', ...stepsOf(app, 'POST', '/mcp'))
  }
  return Object.assign(app, { direct })
}

function stepsOf(app: Hono<HttpEnvironment>, method: string, path: string) {
  const routes = app.routes.filter((route) => route.path === path && route.method === method)
  return routes.map(({ handler }) => handler)
}

function methodsByPath(app: Hono<HttpEnvironment>): Map<string, string[]> {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method !== 'ALL') methods.set(path, (methods.get(path) ?? new Set()).add(method))
  }
  return new Map([...methods].map(([path, names]) => [path, [...names]]))
}
