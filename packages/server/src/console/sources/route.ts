import type { Handler } from 'hono'
import type { Context } from '../../context.ts'
import { authoritiesOf, grantedConnections } from '../../grants/authority.ts'
import { currentAccess } from '../../grants/summary/agent-access.ts'
import { PageQuery } from '../../http/request/page-query.ts'
import type { HttpEnvironment } from '../../routes/environment.ts'
import { agentName } from '../access/access-text.ts'
import { sendPage } from '../frame/send.ts'
import { summariesOf } from '../home/source-summary.ts'
import { sourcesPage } from './page.ts'

/** GET /sources */
export function showSources(context: Context): Handler<HttpEnvironment> {
  return async (c) => {
    const authority = c.get('authority')
    const sources = summariesOf(await context.schema.read(authoritiesOf(authority), {}))
    const { accesses } = await currentAccess(context.storage, authority.subjectId)
    const readers = new Map<string, Set<string>>()
    for (const access of accesses.filter(({ status }) => status === 'active'))
      for (const id of access.grants.flatMap(({ grant }) => grantedConnections(grant)))
        readers.set(id, (readers.get(id) ?? new Set()).add(agentName(access)))
    const byId = new Map([...readers].map(([id, names]) => [id, [...names]]))
    const done = new PageQuery(c).text('done')
    return sendPage(c, sourcesPage({ pageSession: c.get('pageSession'), sources, readers: byId, done }))
  }
}
