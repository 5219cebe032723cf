// A source whose records refer to files of every kind that the developer entrypoint tells apart.
import { createHash } from 'node:crypto'
import type { World } from './world.ts'

const string = { type: 'string' }
const reference = { type: 'object', properties: { blob_id: string, sha256: string } }

/** The smallest picture there is: one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const bytes = (count: number) => Buffer.from(Array.from({ length: count }, (_, index) => (index * 7919) % 251))

/** What a file is called, what is in it, and what its record says that it is. */
export const FILES: Readonly<Record<string, { readonly type: string; readonly bytes: Buffer }>> = {
  'story.txt': {
    type: 'text/plain',
    bytes: Buffer.from('The ferry was late again. \u26f4\ufe0f Größe: 3 €.\n'.repeat(600)),
  },
  'note.md': { type: 'text/markdown', bytes: Buffer.from('# Plums\n\n[press here](https://evil.example) \u202e\n') },
  'untyped.log': { type: 'application/octet-stream', bytes: Buffer.from('10:00 began\n10:05 ended\n') },
  'latin.txt': { type: 'text/plain', bytes: Buffer.from('Gr\u00f6\u00dfe', 'latin1') },
  'empty.txt': { type: 'text/plain', bytes: Buffer.alloc(0) },
  'hostile.txt': { type: 'text/plain', bytes: Buffer.from('\u202e\u0001'.repeat(6_000)) },
  'dot.png': { type: 'image/png', bytes: PNG },
  'false.png': { type: 'image/png', bytes: Buffer.from('%PDF-1.7 not a picture at all') },
  'beep.wav': { type: 'audio/wav', bytes: bytes(900) },
  'small.pdf': { type: 'application/pdf', bytes: bytes(1_200) },
  'medium.pdf': { type: 'application/pdf', bytes: bytes(20_000) },
  'large.pdf': { type: 'application/pdf', bytes: bytes(3_000_000) },
}

export const blobIdOf = (name: string): string =>
  `blob_${createHash('sha256').update(FILES[name]!.bytes).digest('hex')}`

export async function loadFiles(world: World): Promise<void> {
  await world.owner('POST', '/connectors', {
    source: { kind: 'connector', id: 'https://sources.example/drawer' },
    connector_key: 'drawer',
    declaration_version: '1',
    display: { name: 'Drawer' },
    streams: [
      {
        name: 'papers',
        semantics: 'mutable_state',
        schema: {
          type: 'object',
          properties: { id: string, filename: string, file: reference, kept_at: { ...string, format: 'date-time' } },
          required: ['id'],
        },
        primary_key: ['id'],
        consent_time_field: 'kept_at',
        cursor_field: 'kept_at',
      },
    ],
  })
  for (const connection_id of ['desk', 'attic'])
    await world.owner('POST', '/v1/owner/connections', { connector_key: 'drawer', connection_id })
  for (const name of Object.keys(FILES)) await put(world, 'desk', name)
  await put(world, 'attic', 'dot.png')
}

async function put(world: World, connection: string, name: string): Promise<void> {
  const { type, bytes } = FILES[name]!
  const target = `connection_id=${connection}&stream=papers&record_key=${name}&mime_type=${type}`
  const upload = { method: 'POST', body: new Uint8Array(bytes) }
  const response = await world.get(`/v1/blobs?${target}`, world.ownerToken, upload)
  const { blob_id, sha256 }: any = await response.json()
  const file = { blob_id, sha256, size_bytes: bytes.length, mime_type: type }
  const day = String(Object.keys(FILES).indexOf(name) + 1).padStart(2, '0')
  const record = { id: name, filename: name, kept_at: `2026-03-${day}T10:00:00Z`, file }
  await world.owner('POST', `/v1/ingest/papers?connection_id=${connection}`, JSON.stringify({ data: record }))
}
