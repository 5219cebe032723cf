import { utc } from './clock.ts'
import { idFor } from './random.ts'
import { attachmentId, chatId, eventId, messageId, orderId, type StoryBeat, turnId } from './story-beat.ts'
import type { Evidence, Fact } from './types.ts'

/** Formats: "mail:ref", "attachment:ref/0", "ai:ref/3", "item:ref/1", "contact:castKey" and so on. */
const evidenceOf = (token: string, beats: StoryBeat[]): Evidence => {
  const [kind, rest] = [token.slice(0, token.indexOf(':')), token.slice(token.indexOf(':') + 1)]
  const [ref, index] = rest.split('/')
  const beat = beats.find((one) => one.ref === ref)
  const boxOf = (one: StoryBeat | undefined) => (one?.kind === 'mail' ? `mail-${one.box}` : '?')
  if (kind === 'contact') return { connection_id: 'contacts', stream: 'contacts', key: idFor('ct', ref!) }
  if (!beat) throw new Error(`fact points at ${token}, which its storyline does not tell`)
  if (kind === 'mail') return { connection_id: boxOf(beat), stream: 'messages', key: messageId(ref!) }
  if (kind === 'attachment')
    return { connection_id: boxOf(beat), stream: 'attachments', key: attachmentId(ref!, Number(index)) }
  if (kind === 'chat') return { connection_id: 'chat', stream: 'messages', key: chatId(ref!) }
  if (kind === 'note' && beat.kind === 'note') return { connection_id: 'notes', stream: 'notes', key: beat.key }
  if (kind === 'event') return { connection_id: 'calendar', stream: 'events', key: eventId(ref!) }
  if (kind === 'order') return { connection_id: 'purchases', stream: 'orders', key: orderId(ref!) }
  if (kind === 'item') return { connection_id: 'purchases', stream: 'items', key: [orderId(ref!), index!] }
  if (kind === 'ai') return { connection_id: 'assistant', stream: 'messages', key: turnId(ref!, Number(index)) }
  if (kind === 'play' && beat.kind === 'play')
    return { connection_id: 'music', stream: 'plays', key: [utc(beat.at), beat.track] }
  throw new Error(`unknown evidence: ${token}`)
}

const lineOf = (text: string, letter: string) => {
  const line = text.split('\n').find((one) => one.startsWith(`${letter}: `))
  if (!line) throw new Error(`a fact lacks its ${letter} line: ${text}`)
  return line.slice(3).trim()
}

/** A fact has four lines: Q (question), A (answer), K (key words) and W (where the evidence is). */
export const readFact = (text: string, beats: StoryBeat[]): Fact => ({
  question: lineOf(text, 'Q'),
  answer: lineOf(text, 'A'),
  key_words: lineOf(text, 'K').split('; '),
  where: lineOf(text, 'W')
    .split(', ')
    .map((token) => evidenceOf(token, beats)),
})
