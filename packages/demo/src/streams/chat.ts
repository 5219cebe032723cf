import { type CastKey, personOf, team } from '../cast.ts'
import { arrival, type Day, days, instantOf, isWorkday, minute, utc, wallTime, yearEnd, yearStart } from '../clock.ts'
import { idFor, type Random, random } from '../random.ts'
import { play, type Scene, sceneDeck, scenes } from '../scene-script.ts'
import { chatHome } from '../scenes/chat-home.ts'
import { chatTongues } from '../scenes/chat-tongues.ts'
import { chatWork } from '../scenes/chat-work.ts'
import { isAway, isClosed, isResting, seasonal } from '../season.ts'
import { stories } from '../stories/index.ts'
import { chatId } from '../story-beat.ts'
import type { DemoRecord } from '../types.ts'
import { channels } from './channels.ts'

interface ChatMessage {
  id: string
  channel: string
  thread: string | null
  author: CastKey
  text: string
  at: number
  reactions: string[]
  edited: boolean
}

const reactionKinds = ['👍', '❤️', '😂', '🎉', '👀', '🙏', '🌊', '🥄', '☕', '🐈', '💯', '🫡']

const reactionsFor = (rng: Random): string[] => {
  if (rng.chance(0.68)) return []
  return rng.shuffled(reactionKinds).slice(0, rng.pick([1, 1, 1, 2, 3]))
}

const fromStories = (rng: Random): ChatMessage[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) => {
      if (beat.kind !== 'chat') return []
      const thread = beat.replyTo ? chatId(beat.replyTo) : null
      const { channel, author, text, at } = beat
      return [{ id: chatId(beat.ref), channel, thread, author, text, at, reactions: reactionsFor(rng), edited: false }]
    }),
  )

const everyone: CastKey[] = ['mira', ...team]

/** Who can speak on that day. Mira is silent when she is away, and about running while she rests. */
const speakersOf = (scene: Scene, date: string, rng: Random): Record<string, CastKey> | undefined => {
  const silent = isAway(date) || (isResting(date) && scene.places.includes('running')) ? 'mira' : ''
  const pool = rng.shuffled(everyone.filter((key) => key !== silent))
  const openers = scene.by.filter((key) => key !== silent)
  if (scene.by.length > openers.length && openers.length === 0) return undefined
  const a = openers.length > 0 ? (rng.pick(openers) as CastKey) : pool.pop()!
  const others = (scene.to.length > 0 ? scene.to : pool).filter((key) => key !== a && key !== silent) as CastKey[]
  if (others.length === 0) return undefined
  const b = rng.pick(others)
  const c = rng.pick(pool.filter((key) => key !== a && key !== b))
  return { a, b, c }
}

const isBusy = (day: Day) => isWorkday(day) && !isClosed(day.date)

const weekendChannels = ['ops-gull', 'running', 'cats', 'random']

const startTime = (day: Day, rng: Random) =>
  day.at(wallTime(isWorkday(day) ? rng.int(8, 17) : rng.int(9, 20), rng.int(0, 59)))

const conversation = (scene: Scene, ref: string, day: Day, rng: Random): ChatMessage[] => {
  const open = isBusy(day) ? scene.places : scene.places.filter((place) => weekendChannels.includes(place))
  const channel = rng.pick(open)
  const who = speakersOf(scene, day.date, rng)
  if (!who) return []
  const bound = seasonal(day.date, rng)
  for (const [letter, key] of Object.entries(who)) bound.set(letter, personOf(key).name.split(' ')[0]!)
  const threaded = rng.chance(0.55)
  const root = idFor('cm', `${ref}/0`)
  let at = startTime(day, rng)
  return play(scene, rng, bound).spoken.map((turn, index) => {
    const id = idFor('cm', `${ref}/${index}`)
    const thread = threaded && index > 0 ? root : null
    if (index > 0) at += rng.chance(0.8) ? rng.int(1, 14) * minute : rng.int(20, 110) * minute
    const edited = rng.chance(0.04)
    const author = who[turn.speaker]!
    return {
      id,
      channel,
      thread,
      author,
      text: turn.text,
      at: at + rng.int(0, 55) * 1000,
      reactions: reactionsFor(rng),
      edited,
    }
  })
}

const everyday = (rng: Random): ChatMessage[] => {
  const script = scenes([chatWork, chatHome, chatTongues].join('\n---\n'))
  const next = sceneDeck(script, rng)
  const atWeekend = script.filter((scene) => scene.places.some((place) => weekendChannels.includes(place)))
  const nextAtWeekend = sceneDeck(atWeekend, rng)
  return days.flatMap((day) => {
    const count = isBusy(day) ? rng.int(6, 10) : rng.int(0, 3)
    const draw = isBusy(day) ? next : nextAtWeekend
    return Array.from({ length: count }, (_, index) =>
      conversation(draw(day.date), `chat/${day.date}/${index}`, day, rng),
    ).flat()
  })
}

/** The bridge of #ops-gull uses ids beyond 2^53, which only a raw JSON number preserves. */
const bridgeBase = 9_007_199_254_740_993n

const bridgeId = (at: number, sequence: number) =>
  JSON.rawJSON(String(bridgeBase + BigInt(at - yearStart) * 4096n + BigInt(sequence)))

export function* chatMessageRecords(): Iterable<DemoRecord> {
  const rng = random('chat')
  const all = [...fromStories(rng), ...everyday(rng)].filter((one) => one.at <= yearEnd).sort((a, b) => a.at - b.at)
  for (const [sequence, message] of all.entries()) {
    const data = {
      id: message.id,
      channel: message.channel,
      thread_id: message.thread,
      author: personOf(message.author).name,
      author_id: idFor('mem', message.author),
      text: message.text,
      sent_at: utc(message.at),
      reactions: message.reactions,
      edited: message.edited,
      ...(message.channel === 'ops-gull' ? { provider_message_id: bridgeId(message.at, sequence % 4096) } : {}),
    }
    yield { connection_id: 'chat', stream: 'messages', key: message.id, data, emitted_at: arrival(message.at) }
  }
}

export function* channelRecords(): Iterable<DemoRecord> {
  for (const [index, channel] of channels.entries()) {
    const at = yearStart + index * minute
    const data = {
      id: channel.name,
      name: channel.name,
      topic: channel.topic,
      private: channel.private,
      created_at: utc(at),
    }
    yield { connection_id: 'chat', stream: 'channels', key: channel.name, data, emitted_at: arrival(at) }
  }
}

export function* memberRecords(): Iterable<DemoRecord> {
  for (const [index, key] of [...everyone, 'gullbot'].entries()) {
    const person = personOf(key)
    const id = idFor('mem', key)
    const at = instantOf('2025-11-01', '08:00') + index * minute
    const work = key === 'mira' ? personOf('miraWork') : person
    const data = {
      id,
      name: person.name,
      email: work.address,
      title: work.note ?? '',
      bot: key === 'gullbot',
      joined_at: utc(at),
    }
    yield { connection_id: 'chat', stream: 'members', key: id, data, emitted_at: arrival(at) }
  }
}
