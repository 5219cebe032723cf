import { arrival, days, minute, utc, wallTime, yearEnd } from '../clock.ts'
import { type Random, random } from '../random.ts'
import { play, sceneDeck, scenes } from '../scene-script.ts'
import { assistantTalk } from '../scenes/assistant.ts'
import { assistantTalkMore } from '../scenes/assistant-more.ts'
import { assistantTalkOften } from '../scenes/assistant-often.ts'
import { isAway, seasonal } from '../season.ts'
import { stories } from '../stories/index.ts'
import { conversationId, turnId } from '../story-beat.ts'
import type { DemoRecord } from '../types.ts'

interface Conversation {
  ref: string
  title: string
  model: string
  turns: { role: string; text: string; at: number }[]
}

const models = ['lantern-2', 'lantern-2', 'lantern-2-mini', 'lantern-3']

const timed = (turns: { role: string; text: string }[], start: number, rng: Random) => {
  let at = start
  return turns.map((turn, index) => {
    if (index > 0) at += turn.role === 'assistant' ? rng.int(6, 40) * 1000 : rng.int(1, 25) * minute
    return { ...turn, at }
  })
}

const fromStories = (rng: Random): Conversation[] =>
  stories.flatMap(({ beats }) =>
    beats.flatMap((beat) =>
      beat.kind === 'ai'
        ? [{ ref: beat.ref, title: beat.title, model: 'lantern-2', turns: timed(beat.turns, beat.at, rng) }]
        : [],
    ),
  )

const everyday = (rng: Random): Conversation[] => {
  const next = sceneDeck(scenes([assistantTalk, assistantTalkMore, assistantTalkOften].join('\n---\n')), rng)
  return days
    .filter((day) => rng.chance(0.55) && !isAway(day.date))
    .map((day) => {
      const { subject, spoken } = play(next(day.date), rng, seasonal(day.date, rng))
      const turns = spoken.map(({ speaker, text }) => ({
        role: speaker === 'a' ? 'user' : 'assistant',
        text: text.replaceAll(/ ?¶ ?/g, '\n'),
      }))
      const start = day.at(wallTime(rng.pick([7, 12, 19, 20, 21]), rng.int(0, 59)))
      return { ref: `ai/${day.date}`, title: subject, model: rng.pick(models), turns: timed(inTurn(turns), start, rng) }
    })
}

/** If an optional question is left out, its answer is left out too. */
const inTurn = (turns: { role: string; text: string }[]) =>
  turns.filter((turn, index) =>
    turn.role === 'assistant' ? turns[index - 1]?.role === 'user' : turns[index + 1]?.role === 'assistant',
  )

let kept: Conversation[] | undefined

const conversations = (): Conversation[] => {
  if (kept) return kept
  const rng = random('assistant')
  kept = [...fromStories(rng), ...everyday(rng)].filter((one) => one.turns.at(-1)!.at <= yearEnd)
  return kept
}

export function* conversationRecords(): Iterable<DemoRecord> {
  const end = (one: Conversation) => one.turns.at(-1)!.at
  for (const one of [...conversations()].sort((a, b) => end(a) - end(b))) {
    const id = conversationId(one.ref)
    const data = {
      id,
      title: one.title,
      model: one.model,
      started_at: utc(one.turns[0]!.at),
      updated_at: utc(end(one)),
      message_count: one.turns.length,
    }
    yield { connection_id: 'assistant', stream: 'conversations', key: id, data, emitted_at: arrival(end(one)) }
  }
}

export function* assistantMessageRecords(): Iterable<DemoRecord> {
  const all = conversations().flatMap((one) =>
    one.turns.map((turn, index) => ({
      ...turn,
      id: turnId(one.ref, index),
      conversation: conversationId(one.ref),
      title: one.title,
    })),
  )
  for (const turn of all.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) {
    const data = {
      id: turn.id,
      conversation_id: turn.conversation,
      conversation: turn.title,
      role: turn.role,
      text: turn.text,
      sent_at: utc(turn.at),
    }
    yield { connection_id: 'assistant', stream: 'messages', key: turn.id, data, emitted_at: arrival(turn.at) }
  }
}
