import { HOST_NAMES } from '@pdpp/mcp-server/hosts'
import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { type AgentAccess, currentAccess } from '../../grants/summary/agent-access.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { readVerifiedForm } from '../../routes/request/form.ts'
import { sourceNames } from '../access/source-names.ts'
import { sendPage } from '../frame/send.ts'
import { resolveViewAs } from '../record/view-as.ts'
import { addressScope } from './address-scope.ts'
import { connectedPage } from './connected-page.ts'
import { connectPage } from './page.ts'
import { questionsFor } from './questions.ts'

/** GET /agents/connect */
export function showConnect(context: Context): Handler<HttpEnvironment> {
  return (c) => {
    const { origin } = c.get('requestOrigin')
    const { last } = context.selfTest
    const result = last?.origin === origin ? last : undefined
    const client = new PageQuery(c).text('client')
    const chosen = HOST_NAMES.find((name) => name === client) ?? 'claude-code'
    const view = { pageSession: c.get('pageSession'), origin, reach: addressScope(origin), result, chosen }
    return sendPage(c, connectPage({ ...view, since: Date.now() }))
  }
}

/** GET /agents/connect/status: tells the page's script where to go once an agent has connected. */
export function readConnected(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const access = await newestSince(context, c.get('authority').subjectId, new PageQuery(c).text('since'))
    return c.json({ location: access === undefined ? null : `/agents/connected?id=${encodeURIComponent(access.id)}` })
  }
}

/** GET /agents/connected: the page of the agent with this id, or of the one that connected since the given time. */
export function showConnected(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const query = new PageQuery(c)
    const { subjectId } = c.get('authority')
    const id = query.text('id')
    const access =
      id === undefined
        ? await newestSince(context, subjectId, query.text('since'))
        : (await currentAccess(context.storage, subjectId)).accesses.find((one) => one.id === id)
    if (access === undefined) return c.redirect('/agents/connect', 303)
    const { authority } = await resolveViewAs(context, c, access.id)
    const [names, questions] = await Promise.all([sourceNames(context, subjectId), questionsFor(context, authority)])
    return sendPage(c, connectedPage({ pageSession: c.get('pageSession'), access, names, questions }))
  }
}

/** The newest active access that was given since the given time. */
async function newestSince(context: Context, subjectId: string, since: string | undefined) {
  if (since === undefined || !/^\d{1,15}$/.test(since)) return
  const { accesses } = await currentAccess(context.storage, subjectId)
  return accesses
    .filter(({ status, createdAt }) => status === 'active' && createdAt >= Number(since))
    .reduce<AgentAccess | undefined>((best, one) => (best && best.createdAt > one.createdAt ? best : one), undefined)
}

/** POST /agents/connect/test */
export function testConnection(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    await readVerifiedForm(c, 'self-test')
    await context.selfTest.run(c.get('requestOrigin').origin, c.get('authority').subjectId)
    return c.redirect('/agents/connect#test', 303)
  }
}
