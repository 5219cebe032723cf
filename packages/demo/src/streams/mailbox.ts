import { type Person, personOf } from '../cast.ts'
import { hour, minute, yearEnd } from '../clock.ts'
import { csvFile, documentFile, type MadeFile, pictureFile } from '../files/file.ts'
import type { Random } from '../random.ts'
import { idFor } from '../random.ts'
import { stories } from '../stories/index.ts'
import { attachmentId, type MailBeat, messageId } from '../story-beat.ts'
import { crashDump } from './crash-dump.ts'

export type Box = 'personal' | 'work'

export interface MailFile {
  id: string
  filename: string
  mediaType: string
  bytes: Buffer
  text: string | null
}

export interface Mail {
  id: string
  thread: string
  at: number
  from: Person
  to: Person[]
  cc: Person[]
  subject: string
  body: string
  folder: string
  labels: string[]
  files: MailFile[]
}

export const ownerIn = (box: Box): Person => personOf(box === 'work' ? 'miraWork' : 'mira')

const isOwner = (person: Person) => person.name === 'Mira Tallow'

export const folderFor = (from: Person, labels: string[]): string => {
  if (isOwner(from)) return 'Sent'
  return labels.length > 0 ? 'Archive' : 'Inbox'
}

const inBox = (box: Box, key: string) => (key === 'mira' ? ownerIn(box) : personOf(key))

const mailOfBeat = (beat: MailBeat, root: MailBeat): Mail => {
  const from = inBox(beat.box, beat.from)
  return {
    id: messageId(beat.ref),
    thread: idFor('thr', root.ref),
    at: beat.at,
    from,
    to: beat.to.map((key) => inBox(beat.box, key)),
    cc: beat.cc.map((key) => inBox(beat.box, key)),
    subject: beat.replyTo ? `Re: ${root.subject}` : beat.subject,
    body: beat.body,
    folder: folderFor(from, root.labels),
    labels: root.labels,
    files: beat.files.map((file, index) => ({ id: attachmentId(beat.ref, index), ...storyFile(file) })),
  }
}

/**
 * A storyline describes a file in one line. Sentences become the lines of a document; parts separated by " / " become
 * the rows of a table.
 */
const storyFile = ({ filename, mediaType, text }: MailBeat['files'][number]): Omit<MailFile, 'id'> => {
  const made = madeOf(filename, mediaType, text)
  if (made.mediaType !== mediaType) throw new Error(`${filename} cannot be made as ${mediaType}`)
  return { filename, mediaType, bytes: made.bytes, text: made.text }
}

const madeOf = (filename: string, mediaType: string, text: string): Omit<MadeFile, 'suffix'> => {
  if (mediaType === 'text/csv') return csvFile(text.split(' / '))
  if (mediaType === 'image/png') return pictureFile(filename, text)
  if (mediaType === 'application/json')
    return { mediaType, bytes: Buffer.from(JSON.stringify(crashDump(), null, 1)), text }
  return { ...documentFile(text.split(/(?<=\D\.) (?=\p{Lu})/u)), text }
}

/** The mails of one mailbox that belong to storylines. */
export const storyMails = (box: Box): Mail[] => {
  const beats = stories.flatMap((one) => one.beats).filter((beat) => beat.kind === 'mail')
  const rootOf = (beat: MailBeat): MailBeat => {
    const root = beat.replyTo ? beats.find((one) => one.ref === beat.replyTo) : beat
    if (!root) throw new Error(`mail ${beat.ref} answers ${beat.replyTo}, which nobody wrote`)
    return root
  }
  return beats.filter((beat) => beat.box === box).map((beat) => mailOfBeat(beat, rootOf(beat)))
}

/** When the next mail of a thread is written: soon or the next morning, but never at night. */
export const replyTime = (after: number, rng: Random, box: Box): number => {
  const wait = rng.chance(0.4) ? rng.int(4, 90) * minute : rng.int(90, box === 'work' ? 1500 : 3400) * minute
  let at = after + wait
  const [earliest, latest] = box === 'work' ? [6, 17] : [5, 21]
  const hourOf = (instant: number) => new Date(instant).getUTCHours()
  while (hourOf(at) < earliest || hourOf(at) >= latest) at += hour
  while (box === 'work' && [0, 6].includes(new Date(at).getUTCDay())) at += 24 * hour
  return at
}

export const withinYear = (mail: Mail): boolean => mail.at <= yearEnd
