import { declaration, key, searched, stream, text, time, title } from '../../../../tests/fixtures/declaration.ts'
import type { Answer } from '../../../../tests/fixtures/http.ts'
import { mailServer, type TestServer } from '../../../../tests/fixtures/server.ts'

const notesDeclaration = declaration('notes', {
  notes: stream(
    { id: key(), title: title(), text: searched(), mood: searched(), written_at: time() },
    {
      relationships: [{ name: 'marks', stream: 'marks', foreign_key: 'note_id', cardinality: 'has_many' }],
      query: { aggregations: { count_distinct: ['title'], group_by: ['mood'] }, expand: [{ name: 'marks' }] },
    },
  ),
  marks: stream({ id: key(), note_id: text(), colour: text() }, { semantics: 'append_only' }),
})

interface Packaged {
  readonly packageId: string
  readonly token: string
  get(path: string): Promise<Answer>
}

export interface PackageServer extends TestServer {
  pack(grantIds: readonly string[], more?: Record<string, unknown>): Promise<Packaged>
  receipts(query?: string): Promise<any[]>
}

/** Two mail accounts and two notebooks, empty. */
export async function packageServer(): Promise<PackageServer> {
  const test = await mailServer()
  await test.owner('POST', '/connectors', notesDeclaration)
  for (const id of ['diary', 'recipes'])
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'notes', connection_id: id, display_name: id })
  return {
    ...test,
    pack: async (grants, more = {}) => {
      const { status, body, text } = await test.owner('POST', '/v1/owner/packages', { grants, ...more })
      if (status !== 201) throw new Error(text)
      const call = test.as(body.access_token)
      return { packageId: body.package_id, token: body.access_token, get: (path) => call('GET', path) }
    },
    receipts: async (query = '') => (await test.owner('GET', `/v1/owner/receipts?limit=100&${query}`)).body.data,
  }
}

export function note(id: string, changes: Record<string, unknown> = {}) {
  const data = {
    id,
    title: `Note ${id}`,
    text: 'Nothing much',
    mood: 'calm',
    written_at: '2026-01-05T08:00:00Z',
    ...changes,
  }
  return { key: id, data, emitted_at: '2026-02-01T00:00:00Z' }
}
