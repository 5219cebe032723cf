import { createHash } from 'node:crypto'
import type { Person } from '../cast.ts'
import { arrival, utc } from '../clock.ts'
import type { DemoRecord } from '../types.ts'
import { crashDump } from './crash-dump.ts'
import { oddMails } from './mail-oddities.ts'
import { machineMails, newsletterMails, purchaseMails, stationMails } from './mail-regular.ts'
import { sceneMails } from './mail-scenes.ts'
import { type Box, type Mail, storyMails, withinYear } from './mailbox.ts'

const boxes = new Map<Box, Mail[]>()

/** All mails of one mailbox, oldest first. Cached, because three streams are generated from them. */
const mailsOf = (box: Box): Mail[] => {
  const known = boxes.get(box)
  if (known) return known
  const regular = box === 'work' ? [stationMails(), machineMails()] : [newsletterMails(), purchaseMails()]
  const all = [storyMails(box), sceneMails(box), ...regular, oddMails(box)].flat().filter(withinYear)
  all.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  boxes.set(box, all)
  return all
}

const addressed = (person: Person) => (person.name ? `${person.name} <${person.address}>` : person.address)

const bytesOf = (mail: Mail) =>
  900 +
  Buffer.byteLength(mail.subject + mail.body) +
  mail.files.reduce((sum, file) => sum + Math.ceil(file.bytes.length * 1.37), 0)

const dataOf = (mail: Mail) => ({
  id: mail.id,
  thread_id: mail.thread,
  subject: mail.subject,
  from_name: mail.from.name || null,
  from_address: mail.from.address,
  to: mail.to.map(addressed),
  ...(mail.cc.length > 0 ? { cc: mail.cc.map(addressed) } : {}),
  sent_at: utc(mail.at),
  folder: mail.folder,
  body: mail.body,
  labels: mail.labels,
  has_attachments: mail.files.length > 0,
  size_bytes: bytesOf(mail),
})

export function* mailRecords(box: Box): Iterable<DemoRecord> {
  for (const mail of mailsOf(box)) {
    const at = { connection_id: `mail-${box}`, stream: 'messages', key: mail.id }
    yield { ...at, data: dataOf(mail), emitted_at: arrival(mail.at) }
  }
}

export function* threadRecords(box: Box): Iterable<DemoRecord> {
  const threads = new Map<string, Mail[]>()
  for (const mail of mailsOf(box)) {
    const sofar = threads.get(mail.thread)
    if (sofar) sofar.push(mail)
    else threads.set(mail.thread, [mail])
  }
  const newest = (mails: Mail[]) => mails.at(-1)!.at
  for (const mails of [...threads.values()].sort((a, b) => newest(a) - newest(b))) {
    const first = mails[0]!
    const people = new Set(
      mails.flatMap((mail) => [mail.from, ...mail.to, ...mail.cc].map((one) => one.name || one.address)),
    )
    const data = {
      id: first.thread,
      subject: first.subject.replace(/^Re: /, ''),
      last_message_at: utc(newest(mails)),
      message_count: mails.length,
      participants: [...people],
    }
    const emitted_at = arrival(newest(mails))
    yield { connection_id: `mail-${box}`, stream: 'threads', key: first.thread, data, emitted_at }
  }
}

export function* attachmentRecords(box: Box): Iterable<DemoRecord> {
  for (const mail of mailsOf(box)) {
    for (const file of mail.files) {
      const sha256 = createHash('sha256').update(file.bytes).digest('hex')
      const size_bytes = file.bytes.length
      const data = {
        id: file.id,
        message_id: mail.id,
        filename: file.filename,
        media_type: file.mediaType,
        size_bytes,
        sent_at: utc(mail.at),
        extracted_text: file.text,
        blob_ref: { blob_id: `blob_${sha256}`, sha256, size_bytes, mime_type: file.mediaType },
        ...(file.filename === 'gull-3-crash.json' ? { metadata: crashDump() } : {}),
      }
      const at = { connection_id: `mail-${box}`, stream: 'attachments', key: file.id }
      yield { ...at, data, emitted_at: arrival(mail.at), file: { mime_type: file.mediaType, bytes: file.bytes } }
    }
  }
}
