// Files of records in the console: shown with what they are, and saved through the owner's session.
import { expect } from 'vitest'
import { Browser } from '../../../../tests/fixtures/browser.ts'
import { send } from '../../../../tests/fixtures/http.ts'
import { verifies } from '../../../../tests/fixtures/verifies.ts'
import { blobServer, referTo } from '../ingest/blob-support.ts'

const filesOn = (text: string) =>
  [...text.matchAll(/<a href="([^"]+)" download>/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))

verifies('checklist 28', 'a record shows its files to its owner alone', async () => {
  const server = await blobServer()
  const { file, ingest, upload, grant } = server
  await upload('page two', 'a')
  await file('a', '<script>alert(1)</script>', {
    folder_id: 'f',
    filename: 'evil.html',
    blob_ref: referTo('<script>alert(1)</script>', 'text/html'),
    pages: [referTo('page two', 'image/png')],
  })
  await ingest('folders', 'home', [{ data: { id: 'f' } }])
  const visitor = new Browser(server.server)
  await visitor.signIn()
  const page = await visitor.get('/r/home%2Ffiles%3Aa')
  expect(page.text).toContain('text/html')
  expect(page.text).toContain('25 bytes')
  expect(page.text).toMatch(/<img src="\/r\/home%2Ffiles%3Aa\/file\?path=%2Fpages%2F0"/)
  const links = filesOn(page.text)
  expect(links).toEqual(['/r/home%2Ffiles%3Aa/file?path=%2Fblob_ref', '/r/home%2Ffiles%3Aa/file?path=%2Fpages%2F0'])
  const saved = await visitor.get(links[0]!)
  expect([saved.status, saved.text]).toEqual([200, '<script>alert(1)</script>'])
  expect(Object.fromEntries(saved.headers)).toMatchObject({
    'content-disposition': 'attachment; filename="evil.html"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  })
  // Records that belong to this one show their files too.
  const folder = await visitor.get('/r/home%2Ffolders%3Af')
  expect(filesOn(folder.text)).toEqual(links)
  // Other visitors and other positions in the record are refused. A preview of an agent's access shows only what the
  // agent may see.
  expect((await send(server, links[0]!)).status).toBe(303)
  for (const path of ['/secret', '/pages/1', '/pages', '', '/../x'])
    expect((await visitor.get(`/r/home%2Ffiles%3Aa/file?path=${encodeURIComponent(path)}`)).status).not.toBe(200)
  const { grantId } = await grant({ connections: ['home'], streams: [{ name: 'files', fields: ['id', 'pages'] }] })
  const seen = filesOn((await visitor.get(`/r/home%2Ffiles%3Aa?as=${grantId}`)).text)
  expect(seen).toEqual([`/r/home%2Ffiles%3Aa/file?as=${grantId}&path=%2Fpages%2F0`])
  expect((await visitor.get(seen[0]!)).status).toBe(200)
  expect((await visitor.get(`/r/home%2Ffiles%3Aa/file?as=${grantId}&path=%2Fblob_ref`)).status).toBe(404)
})
