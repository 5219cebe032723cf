/** Made-up exports of any size, one for each format whose speed is measured. */
export interface MadeExport {
  readonly format: string
  readonly name: string
  /** The text of an export with this many items, in pieces. */
  text(items: number): Iterable<string>
}

const WORDS = 'harbour rope tea lantern winter market letter river garden window paper music'.split(' ')
const PEOPLE = ['Ida Moor', 'Bo Lind', 'Cy Amari', 'Del Strand']

const words = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => WORDS[(seed * 7 + at * at * 3 + at) % WORDS.length]).join(' ')
const person = (at: number): string => PEOPLE[at % PEOPLE.length]!
const iso = (at: number): string => new Date(Date.UTC(2020, 0, 1) + at * 97_000).toISOString()
const plainDay = (at: number): string => iso(at).slice(0, 10)

function* joined(items: number, one: (at: number) => string, around = ['', ''], between = ''): Iterable<string> {
  yield around[0]!
  for (let at = 0; at < items; at++) yield (at === 0 ? '' : between) + one(at)
  yield around[1]!
}

export const MADE_EXPORTS: readonly MadeExport[] = [
  {
    format: 'CSV',
    name: 'orders.csv',
    text: (items) =>
      joined(items, (at) => `A-${at},${iso(at)},${person(at)},"${words(at, 12)}",${at % 997}\n`, [
        'id,at,who,text,amount\n',
        '',
      ]),
  },
  {
    format: 'JSON Lines',
    name: 'log.jsonl',
    text: (items) =>
      joined(
        items,
        (at) => `${JSON.stringify({ id: `L-${at}`, at: iso(at), who: person(at), text: words(at, 12) })}\n`,
      ),
  },
  {
    format: 'JSON',
    name: 'list.json',
    text: (items) =>
      joined(
        items,
        (at) => JSON.stringify({ id: `J-${at}`, at: iso(at), who: person(at), text: words(at, 12) }),
        ['[', ']'],
        ',',
      ),
  },
  {
    format: 'mail (mbox)',
    name: 'All mail.mbox',
    text: (items) => joined(items, mailText),
  },
  {
    format: 'WhatsApp',
    name: 'WhatsApp Chat with Rope club.txt',
    text: (items) =>
      joined(
        items,
        (at) =>
          `${iso(at).slice(8, 10)}/${iso(at).slice(5, 7)}/${iso(at).slice(0, 4)}, ${iso(at).slice(11, 16)} - ${person(at)}: ${words(at, 9)}\n`,
      ),
  },
  {
    format: 'Telegram',
    name: 'result.json',
    text: (items) =>
      joined(
        items,
        (at) =>
          JSON.stringify({
            id: at + 1,
            type: 'message',
            date: iso(at).slice(0, 19),
            date_unixtime: String(Math.floor(Date.parse(iso(at)) / 1000)),
            from: person(at),
            from_id: `user${at % 4}`,
            text: words(at, 9),
          }),
        ['{"name":"Rope club","type":"private_group","id":7,"messages":[', ']}'],
        ',',
      ),
  },
  {
    format: 'iCalendar',
    name: 'calendar.ics',
    text: (items) =>
      joined(
        items,
        (at) =>
          `BEGIN:VEVENT\r\nUID:${at}@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:${plainDay(at).replaceAll('-', '')}T100000Z\r\nDTEND:${plainDay(at).replaceAll('-', '')}T110000Z\r\nSUMMARY:${words(at, 3)}\r\nEND:VEVENT\r\n`,
        ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//made//up//EN\r\n', 'END:VCALENDAR\r\n'],
      ),
  },
  {
    format: 'vCard',
    name: 'contacts.vcf',
    text: (items) =>
      joined(
        items,
        (at) =>
          `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${at}\r\nFN:${person(at)} ${at}\r\nN:${at};${person(at)};;;\r\nEMAIL:p${at}@example.org\r\nEND:VCARD\r\n`,
      ),
  },
  {
    format: 'Claude',
    name: 'conversations.json',
    text: (items) =>
      joined(
        Math.ceil(items / 10),
        (at) =>
          JSON.stringify({
            uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
            name: words(at, 3),
            created_at: iso(at),
            updated_at: iso(at),
            account: { uuid: 'a' },
            chat_messages: Array.from({ length: 10 }, (_, n) => ({
              uuid: `${at}-${n}`,
              text: words(at + n, 20),
              content: [{ type: 'text', text: words(at + n, 20) }],
              sender: n % 2 === 0 ? 'human' : 'assistant',
              created_at: iso(at + n),
              updated_at: iso(at + n),
              attachments: [],
              files: [],
            })),
          }),
        ['[', ']'],
        ',',
      ),
  },
]

function mailText(at: number): string {
  const head = `From x@example.org Tue Mar 04 03:33:20 2025\nReceived: from a.example by b.example; ${new Date(iso(at)).toUTCString()}\nFrom: ${person(at)} <p${at % 4}@example.org>\nTo: Bo Lind <bo@example.org>\nSubject: Letter ${at}\nDate: ${new Date(iso(at)).toUTCString().replace('GMT', '+0000')}\nMessage-ID: <${at}@example.org>\nMIME-Version: 1.0\n`
  const body = Array.from({ length: 30 }, (_, line) => words(at + line, 11)).join('\n')
  if (at % 3 === 0) return `${head}Content-Type: text/plain; charset=utf-8\n\n${body}\n\n`
  const html = Buffer.from(`<p>${body.replaceAll('\n', '</p><p>')}</p>`)
    .toString('base64')
    .replace(/.{76}/g, '$&\n')
  return `${head}Content-Type: multipart/alternative; boundary=B\n\n--B\nContent-Type: text/plain; charset=utf-8\n\n${body}\n--B\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${html}\n--B--\n\n`
}
