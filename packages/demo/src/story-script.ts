import { type CastKey, personOf } from './cast.ts'
import { instantOf } from './clock.ts'
import { idFor } from './random.ts'
import type { AiBeat, EventBeat, MailBeat, NoteBeat, OrderBeat, PlayBeat, StoryBeat } from './story-beat.ts'
import { readFact } from './story-facts.ts'
import type { Fact } from './types.ts'

// A storyline is one text of blocks, in the order of events:
//
//   == mail move-offer 2026-02-02 18:40 personal nebelhorn>mira re:move-viewing
//   Subject line (left out after re:)
//   Body, then attachments as "@@ name | media type | text"
//
// The other kinds are chat, note, event, order, ai, play and fact. Each `read…` function below shows its head line.

interface Head {
  ref: string
  at: number
  plain: string[]
  option(name: string): string | undefined
  list(name: string): string[]
}

const headOf = (line: string): Head => {
  const [ref, date, time, ...rest] = line.split(' ')
  const options = new Map<string, string>()
  const plain: string[] = []
  for (const token of rest) {
    const match = /^([a-z]+):(.+)$/.exec(token)
    if (match) options.set(match[1]!, match[2]!.replaceAll('_', ' '))
    else if (token) plain.push(token)
  }
  const option = (name: string) => options.get(name)
  const list = (name: string) => options.get(name)?.split(',') ?? []
  return { ref: ref!, at: instantOf(date!, time!), plain, option, list }
}

const people = (list: string[]): CastKey[] => {
  for (const key of list) personOf(key)
  return list as CastKey[]
}

const splitFirst = (text: string): [string, string] => {
  const end = text.indexOf('\n')
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1).trim()]
}

const readMail = (head: Head, text: string): MailBeat => {
  const [box, route] = head.plain
  const [from, to] = route!.split('>')
  const replyTo = head.option('re')
  const [subject, rest] = replyTo ? ['', text] : splitFirst(text)
  const files: MailBeat['files'] = []
  const lines: string[] = []
  for (const line of rest.split('\n')) {
    const file = /^@@ (.+?) \| (.+?) \| (.+)$/.exec(line)
    if (file) files.push({ filename: file[1]!, mediaType: file[2]!, text: file[3]! })
    else lines.push(line)
  }
  return {
    kind: 'mail',
    ref: head.ref,
    at: head.at,
    box: box as MailBeat['box'],
    from: people([from!])[0]!,
    to: people(to!.split(',')),
    cc: people(head.list('cc')),
    replyTo,
    labels: head.list('label'),
    subject,
    body: lines.join('\n').trim(),
    files,
  }
}

const readNote = (head: Head, text: string): NoteBeat => {
  const [title, body] = splitFirst(text)
  const key = head.option('key') ?? idFor('note', head.ref)
  const folder = head.plain.join(' ').replaceAll('_', ' ')
  return { kind: 'note', ref: head.ref, at: head.at, key, folder, tags: head.list('tags'), title, body }
}

const readEvent = (head: Head, text: string): EventBeat => {
  const [first, description] = splitFirst(text)
  const [title, location] = first.split(' | ')
  const status = head.option('status') ?? 'confirmed'
  return {
    kind: 'event',
    ref: head.ref,
    at: head.at,
    minutes: Number(head.plain[0]),
    title: title!,
    location: location ?? '',
    people: people(head.list('with')),
    status,
    description,
  }
}

const readOrder = (head: Head, text: string): OrderBeat => {
  const [merchant, rest] = splitFirst(text)
  const lines = rest.split('\n').map((line) => {
    const match = /^(\d+) x (\d+)\.(\d\d) (.+)$/.exec(line)
    if (!match) throw new Error(`not an order line: ${line}`)
    return { quantity: Number(match[1]), cents: Number(match[2]) * 100 + Number(match[3]), title: match[4]! }
  })
  const [status, category] = head.plain
  return { kind: 'order', ref: head.ref, at: head.at, status: status!, category: category!, merchant, lines }
}

const readAi = (head: Head, text: string): AiBeat => {
  const [title, rest] = splitFirst(text)
  const turns = rest
    .split(/^>> /m)
    .filter(Boolean)
    .map((turn) => {
      const [role, words] = splitFirst(turn)
      return { role: role as 'user' | 'assistant', text: words }
    })
  return { kind: 'ai', ref: head.ref, at: head.at, title, turns }
}

const readPlay = (head: Head, text: string): PlayBeat => {
  const [artist, track, album] = text.split(' | ')
  return { kind: 'play', ref: head.ref, at: head.at, artist: artist!, track: track!, album: album! }
}

const readBeat = (kind: string, head: Head, text: string): StoryBeat => {
  if (kind === 'mail') return readMail(head, text)
  if (kind === 'chat') {
    const [channel, author] = head.plain
    const who = people([author!])[0]!
    return { kind, ref: head.ref, at: head.at, channel: channel!, author: who, replyTo: head.option('re'), text }
  }
  if (kind === 'note') return readNote(head, text)
  if (kind === 'event') return readEvent(head, text)
  if (kind === 'order') return readOrder(head, text)
  if (kind === 'ai') return readAi(head, text)
  if (kind === 'play') return readPlay(head, text)
  throw new Error(`unknown kind of beat: ${kind}`)
}

export interface Story {
  title: string
  beats: StoryBeat[]
  facts: Fact[]
}

export const story = (title: string, script: string): Story => {
  const beats: StoryBeat[] = []
  const factTexts: string[] = []
  for (const block of script.split(/^== /m).slice(1)) {
    const [headLine, body] = splitFirst(block.trim())
    const space = headLine.indexOf(' ')
    const kind = space < 0 ? headLine : headLine.slice(0, space)
    if (kind === 'fact') factTexts.push(body)
    else beats.push(readBeat(kind, headOf(headLine.slice(space + 1)), body))
  }
  const facts = factTexts.map((text) => readFact(text, beats))
  return { title, beats, facts }
}
