// Blobs over real HTTP: sent by the owner, referred to by records, read under a grant.
import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { storedBlobs } from '../../../../tests/fixtures/stored-data.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { blobPath, blobServer, errorOf, referTo, sha } from './blob-support.ts'

describe('sending', () => {
  test('gives the same id for the same bytes', async () => {
    const { upload, server } = await blobServer()
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((key) => upload('hello', key, { mime_type: 'text/plain' })),
    )
    const bodies = await Promise.all(answers.map((answer) => answer.json()))
    const expected = { object: 'blob', blob_id: `blob_${sha('hello')}`, sha256: sha('hello'), size_bytes: 5 }
    for (const body of bodies) expect(body).toEqual({ ...expected, mime_type: 'text/plain' })
    expect(await storedBlobs(server.context.config.dataDir)).toBe(1)
  })

  test('takes the type from the parameter, or else from the header', async () => {
    const { upload } = await blobServer()
    const typeOf = async (content: string, more: Record<string, string>) =>
      ((await (await upload(content, 'a', more)).json()) as { mime_type: string }).mime_type
    expect(await typeOf('one', { type: 'image/png' })).toBe('image/png')
    expect(await typeOf('two', { type: 'text/plain; charset=UTF-8' })).toBe('text/plain')
    expect(await typeOf('three', { type: 'image/png', mime_type: 'image/gif' })).toBe('image/gif')
    for (const type of ['application/x-www-form-urlencoded', 'application/octet-stream', 'nonsense'])
      expect(await typeOf(`four ${type}`, { type })).toBe('application/octet-stream')
  })

  test('streams without a length, and refuses what is too large early', async () => {
    const { upload, server } = await blobServer({ maxBlobBytes: 100_000 })
    const pieces = (count: number) =>
      new ReadableStream({
        pull: (controller) => (count-- > 0 ? controller.enqueue(new Uint8Array(10_000)) : controller.close()),
      })
    expect((await upload(pieces(10), 'a')).status).toBe(200)
    for (const body of [pieces(11), new Uint8Array(100_001)]) {
      const refused = await upload(body, 'b')
      expect(refused.status).toBe(413)
      const error = await errorOf(refused)
      expect(error).toMatchObject({ code: 'resource_limit', message: expect.stringContaining('100000 bytes') })
      expect(error['next_step']).toContain('PDPP_BLOB_MAX_BYTES')
    }
    expect(await storedBlobs(server.context.config.dataDir)).toBe(1)
  })

  test('names what is wrong, and is for the owner alone', async () => {
    const { upload, as, grant } = await blobServer()
    const refused = async (more: Record<string, string>, key = 'a') => errorOf(await upload('x', key, more))
    expect(await refused({ stream: 'nope' })).toMatchObject({ code: 'stream_not_declared' })
    expect(await refused({ connection_id: 'nope' })).toMatchObject({ code: 'connection_not_found' })
    expect(await refused({ json_path: 'x' })).toMatchObject({ code: 'invalid_argument', param: 'json_path' })
    expect(await refused({ colour: 'red' })).toMatchObject({ code: 'invalid_request', param: 'colour' })
    expect(await refused({}, '..')).toMatchObject({ code: 'invalid_record_identity' })
    const { token } = await grant({ connections: ['home'], streams: [{ name: 'files' }] })
    const path = '/v1/blobs?connection_id=home&stream=files&record_key=a'
    expect(await as(token)('POST', path, 'x')).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_error' } },
    })
    expect((await as(undefined)('POST', path, 'x')).status).toBe(401)
  })

  test('an upload that stops half way leaves nothing', async () => {
    const { upload, server } = await blobServer({}, { requestMs: 150 })
    const endless = () => new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1000)) })
    const stalled = await upload(endless(), 'a')
    expect([stalled.status, (await errorOf(stalled))['code']]).toEqual([503, 'request_timeout'])
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('gone')),
      start: (controller) => controller.enqueue(new Uint8Array(1000)),
    })
    await expect(upload(broken, 'a')).rejects.toThrow()
    await expect.poll(() => storedBlobs(server.context.config.dataDir)).toBe(0)
  })
})

describe('records', () => {
  test('refer to existing blobs and are shown where to read them', async () => {
    const { upload, ingest, owner, bytes } = await blobServer()
    const record = (data: object) => ({ data: { id: 'a', folder_id: 'f', ...data } })
    const early = await ingest('files', 'home', [record({ blob_ref: referTo('one') })])
    expect(early.body.rejections[0]).toMatchObject({ code: 'blob_not_found', key: 'a' })
    expect(early.body.rejections[0].message).toContain('POST /v1/blobs')
    for (const text of ['one', 'two', 'three']) expect((await upload(text, 'a')).status).toBe(200)
    const wrong = await ingest('files', 'home', [
      record({ blob_ref: { ...referTo('one'), sha256: sha('two') } }),
      record({ blob_ref: { ...referTo('one'), blob_id: '../../x' } }),
      record({ blob_ref: { ...referTo('one'), size_bytes: 4 } }),
    ])
    expect(wrong.body.rejections.map(({ code }: { code: string }) => code)).toEqual([
      'invalid_record',
      'invalid_record',
      'blob_not_found',
    ])
    const evil = { fetch_url: 'https://evil.example/x' }
    const data = {
      blob_ref: referTo('one', 'text/plain', evil),
      pages: [referTo('two'), referTo('three')],
      secret: null,
    }
    expect((await ingest('files', 'home', [record(data)])).body.records_accepted).toBe(1)
    const url = (text: string) => `/v1/blobs/blob_${sha(text)}?connection_id=home`
    const shown = (await owner('GET', '/v1/streams/files/records/a')).body.data
    expect(shown.blob_ref).toEqual({ ...referTo('one'), fetch_url: url('one') })
    expect(shown.pages.map((page: { fetch_url: string }) => page.fetch_url)).toEqual([url('two'), url('three')])
    // A record that was read can be sent again unchanged.
    expect((await ingest('files', 'home', [{ data: shown }])).body.records_unchanged).toBe(1)
    await ingest('folders', 'home', [{ data: { id: 'f' } }])
    const { body } = await owner('GET', '/v1/streams/folders/records/f?expand=files')
    expect(body.expanded.files.data[0].data.blob_ref.fetch_url).toBe(url('one'))
    for (const text of ['one', 'two', 'three']) expect(await (await bytes(url(text))).text()).toBe(text)
  })

  test('take their blobs with them, if nobody else has these', async () => {
    const { file, owner, ingest, server, bytes } = await blobServer()
    await file('a', 'one')
    await file('b', 'one')
    await file('c', 'two')
    await file('d', 'three', {}, 'work')
    const count = () => storedBlobs(server.context.config.dataDir)
    await owner('DELETE', '/v1/streams/files/records/a?connection_id=home')
    expect([await count(), await (await bytes(blobPath('one'))).text()]).toEqual([3, 'one'])
    await ingest('files', 'home', [{ data: { id: 'b', blob_ref: null } }])
    expect([await count(), (await bytes(blobPath('one'))).status]).toEqual([2, 404])
    const erased = await owner('POST', '/v1/owner/erase', { connection_id: 'home', stream: 'files', record_id: 'c' })
    expect([erased.status, await count()]).toEqual([200, 1])
    await owner('POST', '/v1/owner/erase', { connection_id: 'work' })
    expect(await count()).toBe(0)
  })
})

describe('reading', () => {
  test('a blob says what it is, is checked by its tag, and comes in parts', async () => {
    const { file, bytes } = await blobServer()
    await file('a', '0123456789', {
      blob_ref: referTo('0123456789', 'Image/PNG; charset=x'),
      filename: 'Grüße "1".png',
    })
    const path = blobPath('0123456789')
    const whole = await bytes(path)
    const headers = Object.fromEntries(whole.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '10',
      'accept-ranges': 'bytes',
      etag: `"${sha('0123456789')}"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'content-disposition': `inline; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20_1_.png`,
    })
    expect(await whole.text()).toBe('0123456789')
    const ask = async (range: string, more: Record<string, string> = {}, method = 'GET') => {
      const answer = await bytes(path, { method, headers: { range, ...more } })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    expect(await ask('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await ask('bytes=-2')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await ask('bytes=0-1,4-5')).toEqual([200, null, '0123456789'])
    const [status, range, text] = await ask('bytes=10-')
    expect([status, range, JSON.parse(String(text)).error.code]).toEqual([416, 'bytes */10', 'range_not_satisfiable'])
    expect(await ask('bytes=2-4', { 'if-range': headers['etag']! })).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await ask('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, null, '0123456789'])
    expect(await ask('bytes=2-4', { 'if-none-match': `W/${headers['etag']}` })).toEqual([304, null, ''])
    const head = await bytes(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag'), await head.text()]).toEqual([
      200,
      '10',
      headers['etag'],
      '',
    ])
    expect((await bytes(path, { method: 'HEAD', headers: { range: 'bytes=2-4' } })).headers.get('content-length')).toBe(
      '3',
    )
  })

  verifies('checklist 28', 'only what browsers show without running it is shown', async () => {
    const { file, bytes } = await blobServer()
    const cases: [type: string, name: string | undefined, sent: string, disposition: RegExp][] = [
      ['application/pdf', 'a.pdf', 'application/pdf', /^inline; filename="a.pdf"$/],
      ['text/html', '<b>.html', 'text/html', /^attachment; filename="_b_.html"$/],
      ['image/svg+xml', '../../x.svg', 'image/svg+xml', /^attachment; filename="_.._x.svg"$/],
      ['text/html\r\nX-Evil: 1', 'a\r\nX-Evil: 1', 'application/octet-stream', /^attachment; filename="a__X-Evil_ 1"$/],
      ['nonsense', undefined, 'application/octet-stream', /^attachment; filename="blob-[0-9a-f]{12}"$/],
      ['image/jpeg', '\u202egpj.exe', 'image/jpeg', /^inline; filename="_gpj.exe"$/],
    ]
    for (const [index, [type, name, sent, disposition]] of cases.entries()) {
      const content = `content ${index}`
      const named = name === undefined ? {} : { filename: name }
      await file(`f${index}`, content, { blob_ref: referTo(content, type), ...named })
      const { headers } = await bytes(blobPath(content))
      expect(headers.get('content-type')).toBe(sent)
      expect(headers.get('content-disposition')).toMatch(disposition)
      expect(headers.get('x-evil')).toBeNull()
      expect(headers.get('content-security-policy')).toContain('sandbox')
    }
  })

  verifies('001.4.1', 'a file of text is read in parts; any other is described', async () => {
    const { upload, ingest, grant } = await blobServer()
    const text = 'Zeile für Zeile. '.repeat(400)
    for (const [key, content, type] of [
      ['letter', text, 'text/plain'],
      ['empty', '', 'text/plain'],
      ['lie', '\u0000\u0001', 'text/plain'],
      ['picture', text.slice(1), 'image/png'],
    ] as const) {
      await upload(content, key, { type })
      const { mime_type: _none, ...reference } = referTo(content)
      await ingest('files', 'home', [{ data: { id: key, at: '2026-01-01T00:00:00Z', blob_ref: reference } }])
    }
    const { get } = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ['blob_ref'] }] })
    const windowOf = async (key: string, more = '') =>
      (await get(`/v1/streams/files/records/${key}/field-window?field=blob_ref${more}`)).body
    const first = await windowOf('letter')
    expect(first.field).toMatchObject({ type: 'blob', media_type: 'text/plain', sha256: sha(text) })
    expect(first.window).toMatchObject({ start_chars: 0, end_chars: 4096, total_chars: text.length, complete: false })
    const rest = await windowOf('letter', `&offset_chars=${first.window.next_offset_chars}&limit_chars=16384`)
    expect(first.window.text + rest.window.text).toBe(text)
    expect((await windowOf('empty')).window).toMatchObject({ text: '', complete: true })
    expect((await windowOf('lie')).window).toBeNull()
    expect(await windowOf('picture')).toMatchObject({ window: null, field: { media_type: 'image/png' } })
    // A reference need not contain the size, because the file is stored.
    const { size_bytes: _size, mime_type: _type, ...sizeless } = referTo(text.slice(1))
    await ingest('files', 'home', [{ data: { id: 'picture', at: '2026-01-01T00:00:00Z', blob_ref: sizeless } }])
    expect((await windowOf('picture')).field.size_bytes).toBe(Buffer.byteLength(text.slice(1)))
    const hidden = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ['filename'] }] })
    const refused = await hidden.get('/v1/streams/files/records/letter/field-window?field=blob_ref')
    expect(refused.body.error.code).toBe('field_not_granted')
  })

  test('an empty blob and a large one come whole', async () => {
    const { file, bytes } = await blobServer()
    await file('empty', '')
    const empty = await bytes(blobPath(''))
    expect([empty.status, empty.headers.get('content-length'), await empty.text()]).toEqual([200, '0', ''])
    expect((await bytes(blobPath(''), { headers: { range: 'bytes=0-' } })).status).toBe(416)
    const large = 'pdpp'.repeat(2_000_000)
    await file('large', large)
    expect(sha(new Uint8Array(await (await bytes(blobPath(large))).arrayBuffer()))).toBe(sha(large))
  })

  test.runIf(process.platform === 'linux')(
    'a caller that hangs up, or takes nothing, leaves no file open',
    async () => {
      const { file, bytes, server } = await blobServer({}, { requestMs: 300 })
      const large = 'pdpp'.repeat(4_000_000)
      await file('large', large)
      const open = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          const path = join('/proc/self/fd', fd)
          return existsSync(path) && readlinkSync(path).startsWith(join(server.context.config.dataDir, 'blobs'))
        })
      const left = await bytes(blobPath(large))
      await expect.poll(open).toHaveLength(1)
      await left.body!.cancel()
      await expect.poll(open).toEqual([])
      const slow = await bytes(blobPath(large))
      await expect.poll(open).toHaveLength(1)
      await expect.poll(open).toEqual([])
      await expect(slow.arrayBuffer()).rejects.toThrow()
    },
  )

  test('two connections that have it are a question back', async () => {
    const { file, bytes } = await blobServer()
    await file('a', 'shared')
    await file('b', 'shared', {}, 'work')
    const error = await errorOf(await bytes(blobPath('shared')))
    expect(error).toMatchObject({ code: 'ambiguous_connection', http_status: 409, available_connection_count: 2 })
    expect((await bytes(blobPath('shared', 'work'))).status).toBe(200)
    const alias = await bytes(`${blobPath('shared')}?connector_instance_id=work`)
    expect([alias.status, alias.headers.get('pdpp-warning')]).toEqual([
      200,
      'deprecated_alias_used: connector_instance_id',
    ])
  })
})
