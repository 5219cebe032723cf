// A blob can be read through a visible record and a granted field. Any other blob seems not to exist.
import { expect, test } from 'vitest'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { blobPath, blobServer, errorOf, referTo, sha } from '../ingest/blob-support.ts'

const ALL = ['id', 'at', 'folder_id', 'filename', 'blob_ref', 'pages', 'text']

verifies('checklist 16', 'a blob outside the grant looks like one that does not exist', async () => {
  const { file, bytes, grant, upload, ingest } = await blobServer()
  await file('seen', 'seen', { filename: 'plan.txt' })
  await file('old', 'old', { at: '2020-01-01T00:00:00Z' })
  await file('undated', 'undated', { at: null })
  await file('other', 'other', {}, 'work')
  await upload('hidden', 'h')
  await ingest('files', 'home', [{ data: { id: 'h', at: '2026-01-01T00:00:00Z', secret: referTo('hidden') } }])
  await upload('awaited', 'never-comes')
  const { token } = await grant({
    connections: ['home'],
    streams: [{ name: 'files', fields: ALL }],
    since: '2025-01-01T00:00:00Z',
  })
  const read = (path: string, method = 'GET') => bytes(path, { token, method })
  const seen = await read(blobPath('seen'))
  expect([seen.status, await seen.text(), seen.headers.get('content-disposition')]).toEqual([
    200,
    'seen',
    'attachment; filename="plan.txt"',
  ])
  const shape = async (path: string) => {
    const answer = await read(path)
    const { request_id: _id, ...error } = await errorOf(answer)
    const headers = [...answer.headers.keys()].filter((name) => name !== 'date').sort()
    return JSON.stringify([answer.status, error, headers])
  }
  const absent = await shape(blobPath('never was'))
  expect(absent).toContain('"blob_not_found"')
  for (const text of ['old', 'undated', 'other', 'hidden', 'awaited']) {
    expect(await shape(blobPath(text))).toBe(absent)
    for (const connection of ['home', 'work', 'nowhere']) expect(await shape(blobPath(text, connection))).toBe(absent)
    expect((await read(blobPath(text), 'HEAD')).status).toBe(404)
  }
  for (const odd of ['/v1/blobs/x', '/v1/blobs/..%2f..%2fetc', `/v1/blobs/${sha('seen')}`])
    expect(await shape(odd)).toBe(absent)
  // The owner can read all blobs, except one that no record refers to.
  for (const text of ['old', 'undated', 'other', 'hidden']) expect((await bytes(blobPath(text))).status).toBe(200)
  expect((await bytes(blobPath('awaited'))).status).toBe(404)
})

test('a name that is not granted is hidden, and a field opens no other', async () => {
  const { file, bytes, grant, upload, ingest } = await blobServer()
  await file('a', 'one', { filename: 'secret-plan.txt' })
  await upload('two', 'a')
  await ingest('files', 'home', [
    { data: { id: 'a', filename: 'secret-plan.txt', blob_ref: referTo('one'), secret: referTo('two') } },
  ])
  const { token } = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ['blob_ref'] }] })
  const answer = await bytes(blobPath('one'), { token })
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="blob-${sha('one').slice(0, 12)}.txt"`)
  expect((await bytes(blobPath('two'), { token })).status).toBe(404)
  const records = await grant({ connections: ['home'], streams: [{ name: 'files' }], resources: ['b'] })
  expect((await bytes(blobPath('one'), { token: records.token })).status).toBe(404)
})

test('every read leaves a receipt and counts against the allowance', async () => {
  const { file, bytes, grant, owner } = await blobServer()
  await file('a', '0123456789', { filename: 'a.txt' })
  const { token, grantId } = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ALL }] })
  const path = blobPath('0123456789')
  await (await bytes(path, { token })).text()
  await (await bytes(path, { token, headers: { range: 'bytes=0-3' } })).text()
  await bytes(path, { token, method: 'HEAD' })
  await bytes(blobPath('nope'), { token })
  const { body } = await owner('GET', `/v1/owner/receipts?grant_id=${grantId}`)
  const facts = body.data.map((receipt: Record<string, unknown>) => [
    receipt['operation'],
    receipt['outcome'],
    receipt['bytes'],
    receipt['stream'],
    receipt['fields'],
    receipt['record_count'],
  ])
  const read = ['files', ['filename', 'blob_ref'], 1]
  expect(facts.toSorted((a: unknown[], b: unknown[]) => Number(b[2]) - Number(a[2]))).toEqual([
    ['blob', 'ok', 10, ...read],
    ['blob', 'ok', 4, ...read],
    expect.arrayContaining(['blob']),
    expect.arrayContaining(['blob']),
  ])
  expect(facts).toContainEqual(['blob', 'ok', 0, ...read])
  expect(facts).toContainEqual(['blob', 'blob_not_found', 0, null, [], 0])
  await owner('PATCH', '/v1/owner/settings', { grant_bytes_per_minute: 10 })
  await (await bytes(path, { token })).text()
  await (await bytes(path, { token })).text()
  const exhausted = await bytes(path, { token })
  expect([exhausted.status, (await errorOf(exhausted))['code']]).toEqual([429, 'rate_limit_exceeded'])
})

test('revoked, paused and narrowed grants read no blob', async () => {
  const { file, bytes, grant, owner } = await blobServer()
  await file('a', 'one')
  await file('b', 'two', {}, 'work')
  const { token, grantId } = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ALL }] })
  const status = async (use: string, path = blobPath('one')) => (await bytes(path, { token: use })).status
  expect(await status(token)).toBe(200)
  await owner('POST', `/v1/owner/grants/${grantId}/pause`)
  expect(await status(token)).toBe(403)
  await owner('POST', `/v1/owner/grants/${grantId}/resume`)
  await owner('POST', `/v1/owner/grants/${grantId}/revoke`)
  expect(await status(token)).toBe(403)
  const members = await Promise.all(
    ['home', 'work'].map((id) => grant({ connections: [id], streams: [{ name: 'files' }] })),
  )
  const made = await owner('POST', '/v1/owner/packages', { grants: members.map((member) => member.grantId) })
  expect([made.status, made.text]).toEqual([201, expect.any(String)])
  const packed = made.body.access_token as string
  expect([
    await status(packed),
    await status(packed, blobPath('two')),
    await status(packed, blobPath('two', 'work')),
  ]).toEqual([200, 200, 200])
  for (const connection of ['home', 'nowhere'])
    expect((await errorOf(await bytes(blobPath('two', connection), { token: packed })))['code']).toBe('blob_not_found')
  const { body } = await owner('GET', '/v1/owner/receipts?limit=5')
  const read = body.data.filter((receipt: { outcome: string }) => receipt.outcome === 'ok')
  expect(read.map((receipt: { grant_id: string }) => receipt.grant_id)).toEqual([
    members[1]!.grantId,
    members[1]!.grantId,
    members[0]!.grantId,
  ])
})
