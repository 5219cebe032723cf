import fc from 'fast-check'
import PostalMime, { type Email } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { type MailContent, usualMail } from './usual-mail.ts'

/** The members on which both parsers must agree. The importer removes empty lines around a text. */
function comparable(mail: MailContent | Email) {
  const { from, sender, to, cc, bcc, subject, messageId, inReplyTo, references, headers, attachments } = mail
  const files = attachments.map(({ filename, mimeType, disposition, related, content }) => ({
    filename,
    mimeType,
    disposition,
    related: related === true,
    content: Buffer.from(content as Uint8Array).toString('hex'),
  }))
  const texts = [mail.text?.trim() || undefined, mail.html?.trim() || undefined]
  return { from, sender, to, cc, bcc, subject, messageId, inReplyTo, references, headers, texts, files }
}

const part = (type: string, encoding: string, body: string, more = '') =>
  `Content-Type: ${type}\n${encoding === '' ? '' : `Content-Transfer-Encoding: ${encoding}\n`}${more}\n${body}`
const multipart = (kind: string, boundary: string, parts: readonly string[]) =>
  part(
    `multipart/${kind}; boundary="${boundary}"`,
    '',
    `preamble\n${parts.map((each) => `--${boundary}\n${each}\n`).join('')}--${boundary}--\nepilogue\n`,
  )

const words = fc.constantFrom(
  'Tea',
  'Rope',
  'ö',
  '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
  ' ',
  '\n',
  '.',
  '=',
  '--B',
  'From ',
  '>',
)
const text = fc.array(words, { maxLength: 20 }).map((each) => each.join(''))
const leaf = fc
  .tuple(
    fc.constantFrom(
      'text/plain; charset=utf-8',
      'text/html; charset="utf-8"',
      'TEXT/PLAIN',
      'text/plain; format=flowed',
    ),
    fc.constantFrom('', '8bit', 'base64', 'quoted-printable', 'x-odd'),
    text,
  )
  .map(([type, encoding, body]) =>
    part(type, encoding, encoding === 'base64' ? Buffer.from(body).toString('base64') : body),
  )
const file = fc
  .tuple(
    fc.constantFrom(
      'image/png; name="a.png"',
      'application/pdf',
      'text/csv',
      'message/rfc822',
      'text/calendar; method=REQUEST',
    ),
    fc.constantFrom('base64', '7bit', 'quoted-printable'),
    fc.constantFrom(
      '',
      'Content-Disposition: attachment; filename="=?UTF-8?Q?=C3=B6.png?="\n',
      'Content-ID: <x@y>\nContent-Disposition: inline\n',
    ),
  )
  .map(([type, encoding, more]) => part(type, encoding, encoding === 'base64' ? 'AAEC\nAw==' : 'plain', more))
const body = fc.oneof(
  leaf,
  fc.array(leaf, { maxLength: 3 }).map((parts) => multipart('alternative', 'A', parts)),
  fc
    .tuple(leaf, fc.array(fc.oneof(file, leaf), { maxLength: 3 }))
    .map(([first, others]) => multipart('mixed', 'B', [first, ...others])),
  fc
    .tuple(leaf, leaf, file)
    .map(([a, b, c]) =>
      multipart('mixed', 'B', [multipart('alternative', 'A', [a, multipart('related', 'AB', [b, c])]), c]),
    ),
)
const mail = fc
  .tuple(
    fc.constantFrom(
      'From: Ida Moor <ida@example.org>',
      'From: "Moor, Ida" <ida@example.org>, b@example.org',
      'Sender: x',
      'odd line',
    ),
    fc.constantFrom(
      'To: team: a@example.org, B <b@example.org>;',
      'Cc: \n\tc@example.org,\n d@example.org',
      'Subject:   =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=\n =?UTF-8?Q?_x?=',
    ),
    body,
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([from, other, rest, end]) =>
    Buffer.from(`${from}\n${other}\nMessage-ID: <1@example.org>\n${rest}`.replaceAll('\n', end)),
  )

describe('a mail of the usual build', () => {
  it('reads as the library reads it', async () => {
    let usual = 0
    await fc.assert(
      fc.asyncProperty(mail, async (bytes) => {
        const found = usualMail(bytes)
        if (found === undefined) return
        usual++
        expect(comparable(found)).toEqual(comparable(await PostalMime.parse(bytes)))
      }),
      { numRuns: 1500 },
    )
    expect(usual).toBeGreaterThan(150)
  })

  it.each([
    ['a nested mail', part('message/rfc822', '', 'From: a@example.org\n\nx')],
    ['flowed text', part('text/plain; format=flowed', '', 'a \nb')],
    ['a boundary that is missing', part('multipart/mixed; boundary=B', '', '--B\n\nx\n')],
    ['no header at all', 'just words'],
  ])('%s is left to the library', (_, rest) => {
    expect(usualMail(Buffer.from(`From: a@example.org\n${rest}`))).toBeUndefined()
  })
})
