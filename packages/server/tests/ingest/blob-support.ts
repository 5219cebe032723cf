import { createHash } from 'node:crypto'
import { declaration as declare, key, stream, text, time } from '../../../../tests/fixtures/declaration.ts'
import { type TestServer, testServer } from '../../../../tests/fixtures/server.ts'

const reference = {
  type: ['object', 'null'],
  properties: { blob_id: { type: 'string' }, sha256: { type: 'string' }, size_bytes: { type: 'integer' } },
  required: ['blob_id'],
}

const declaration = declare('files', {
  folders: stream(
    { id: key() },
    {
      relationships: [{ name: 'files', stream: 'files', foreign_key: 'folder_id', cardinality: 'has_many' }],
      query: { expand: [{ name: 'files' }] },
    },
  ),
  files: stream({
    id: key(),
    folder_id: text(),
    filename: text(),
    at: time(),
    blob_ref: { ...reference, x_pdpp_text_field: 'text' },
    secret: reference,
    pages: { type: 'array', items: reference },
    text: text(),
  }),
})

export const errorOf = async (answer: Response): Promise<Record<string, unknown>> =>
  ((await answer.json()) as { error: Record<string, unknown> }).error

export const sha = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const referTo = (bytes: string | Uint8Array, mimeType = 'text/plain', more: object = {}) => ({
  blob_id: `blob_${sha(bytes)}`,
  sha256: sha(bytes),
  size_bytes: Buffer.byteLength(bytes as string),
  mime_type: mimeType,
  ...more,
})

export interface BlobServer extends TestServer {
  /** A request for bytes, with the owner's token or another. */
  bytes(
    path: string,
    options?: { token?: string; method?: string; headers?: Record<string, string> },
  ): Promise<Response>
  /** `type` is the header, everything else a parameter. */
  upload(bytes: string | Uint8Array | ReadableStream, key: string, more?: Record<string, string>): Promise<Response>
  /** Uploads the bytes that a record refers to in `blob_ref`, and ingests the record. */
  file(id: string, bytes: string, data?: Record<string, unknown>, connection?: string): Promise<void>
}

/** Two connections of a source whose records refer to blobs. */
export async function blobServer(...options: Parameters<typeof testServer>): Promise<BlobServer> {
  const test = await testServer(...options)
  await test.owner('POST', '/connectors', declaration)
  for (const id of ['home', 'work'])
    await test.owner('POST', '/v1/owner/connections', { connector_key: 'files', connection_id: id })
  const ownerToken = (await test.server.context.tokens.issueOwner('owner_local')).accessToken
  const bytes: BlobServer['bytes'] = (path, { token = ownerToken, method = 'GET', headers = {} } = {}) =>
    fetch(test.server.url + path, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
  const upload: BlobServer['upload'] = (body, key, more = {}) => {
    const { type = 'application/octet-stream', ...query } = more
    const params = new URLSearchParams({ connection_id: 'home', stream: 'files', record_key: key, ...query })
    const headers = { authorization: `Bearer ${ownerToken}`, 'content-type': type }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    return fetch(`${test.server.url}/v1/blobs?${params}`, init as RequestInit)
  }
  return {
    ...test,
    bytes,
    upload,
    file: async (id, content, data = {}, connection = 'home') => {
      const answer = await upload(content, id, { connection_id: connection })
      if (answer.status !== 200) throw new Error(await answer.text())
      const record = { id, at: '2026-01-01T00:00:00Z', blob_ref: referTo(content), ...data }
      const { body } = await test.ingest('files', connection, [{ data: record }])
      if (body.records_rejected > 0) throw new Error(JSON.stringify(body))
    },
  }
}

export const blobPath = (content: string | Uint8Array, connection?: string): string =>
  `/v1/blobs/blob_${sha(content)}${connection === undefined ? '' : `?connection_id=${connection}`}`
