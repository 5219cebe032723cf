import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formParts, partText } from './multipart.ts'

const BOUNDARY = '----form1'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`

function encoded(parts: readonly { name: string; file?: string; body: Uint8Array }[]): Buffer {
  const pieces = parts.flatMap(({ name, file, body }) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`),
    Buffer.from(file === undefined ? '\r\n\r\n' : `; filename="${file}"\r\nContent-Type: text/csv\r\n\r\n`),
    body,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

async function* cut(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size: number) {
  const found = []
  for await (const { name, fileName, body } of formParts(TYPE, cut(bytes, size))) {
    const chunks = []
    for await (const chunk of body) chunks.push(chunk)
    found.push({ name, file: fileName, body: Buffer.concat(chunks).toString('base64') })
  }
  return found
}

it('returns the sent parts for any chunk size and any body', async () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .constantFrom('', '\r\n', `\r\n--${BOUNDARY.slice(0, -1)}`, '\r\n--', '--', '\r\n\r\n')
      .map((text) => Buffer.from(text)),
  )
  const bodies = fc.array(
    fc.array(piece, { maxLength: 4 }).map((all) => Buffer.concat(all)),
    { maxLength: 4 },
  )
  await fc.assert(
    fc.asyncProperty(bodies, fc.integer({ min: 1, max: 90 }), async (all, size) => {
      const parts = all
        .filter((body) => !Buffer.concat([Buffer.from('\r\n'), body]).includes(`\r\n--${BOUNDARY}`))
        .map((body, at) => ({ name: `n${at}`, file: at % 2 ? `f${at}.csv` : undefined, body }))
      const sent = parts.map(({ name, file, body }) => ({ name, file, body: body.toString('base64') }))
      expect(await read(encoded(parts as Parameters<typeof encoded>[0]), size)).toEqual(sent)
    }),
  )
})

it('skips unread parts, keeps file names, and limits fields', async () => {
  const name = `../../a%22b\u202e.csv`
  const bytes = encoded([
    { name: 'files', file: name, body: Buffer.alloc(5000, 'x') },
    { name: 'token', body: Buffer.from('secret') },
  ])
  const seen = []
  for await (const part of formParts(TYPE, cut(bytes, 100))) seen.push(part.fileName ?? (await partText(part, 10)))
  expect(seen).toEqual(['../../a"b\u202e.csv', 'secret'])
  for await (const part of formParts(TYPE, cut(bytes, 100)))
    if (part.name === 'token') await expect(partText(part, 3)).rejects.toMatchObject({ code: 'resource_limit' })
})

it.each([
  ['no end', encoded([{ name: 'a', file: 'a.csv', body: Buffer.from('x') }]).subarray(0, -8)],
  ['no part', Buffer.from('nothing')],
  ['headers without end', Buffer.from(`--${BOUNDARY}\r\n${'x'.repeat(20_000)}`)],
  ['no name', Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`)],
])('refuses a malformed body: %s', async (_name, bytes) => {
  await expect(read(bytes, 1000)).rejects.toMatchObject({ code: 'invalid_request' })
})

it('accepts only multipart/form-data with a boundary', () => {
  for (const type of ['', 'application/json', 'multipart/form-data', 'multipart/mixed; boundary=x'])
    expect(() => formParts(type, cut(Buffer.alloc(0), 1))).toThrow('multipart/form-data')
})
