import { PdppError } from '@pdpp/protocol'
import { Hono, type MiddlewareHandler } from 'hono'
import { authorizationServerMetadata } from './authorization/metadata.ts'
import { refusedRequestPage } from './console/consent/refused-request-page.ts'
import { errorPage } from './console/frame/error-page.ts'
import { readPreferences } from './console/frame/preferences.ts'
import { sendPage } from './console/frame/send.ts'
import { addPages } from './console/pages.ts'
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
  addPages(app, context)
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
  app.post('/oauth/token', token(context))
  app.post('/oauth/par', push(context))
  app.post('/oauth/device_authorization', begin(context))
  app.post('/oauth/register', registerClient(context))
  app.post('/oauth/revoke', revokeToken(context))
  app.post('/introspect', introspect(context))
  app.post('/agent-connect', startConnecting(context))
  app.post('/agent-connect/:id/token', pollConnecting(context))

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
