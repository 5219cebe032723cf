import { type Answer, mailServer, type TestServer } from '../support.ts'

const notesDeclaration = {
  source: { kind: 'connector', id: 'https://tests.example/notes' },
  connector_key: 'notes',
  declaration_version: '1',
  display: { name: 'Notes' },
  streams: [
    {
      name: 'notes',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string', x_pdpp_role: 'primary-title' },
          text: { type: 'string' },
          mood: { type: 'string' },
          written_at: { type: ['string', 'null'], format: 'date-time' },
        },
        required: ['id'],
      },
      primary_key: ['id'],
      cursor_field: 'written_at',
      consent_time_field: 'written_at',
      relationships: [{ name: 'marks', stream: 'marks', foreign_key: 'note_id', cardinality: 'has_many' }],
      query: {
        search: { lexical_fields: ['title', 'text', 'mood'] },
        aggregations: { count_distinct: ['title'], group_by: ['mood'] },
        expand: [{ name: 'marks' }],
      },
    },
    {
      name: 'marks',
      semantics: 'append_only',
      schema: {
        type: 'object',
        properties: { id: { type: 'string' }, note_id: { type: 'string' }, colour: { type: 'string' } },
        required: ['id'],
      },
      primary_key: ['id'],
    },
  ],
}

export interface Packaged {
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
