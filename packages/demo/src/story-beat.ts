import type { CastKey } from './cast.ts'
import { idFor } from './random.ts'

interface Beat {
  ref: string
  at: number
}

export interface MailBeat extends Beat {
  kind: 'mail'
  box: 'personal' | 'work'
  from: CastKey
  to: CastKey[]
  cc: CastKey[]
  replyTo: string | undefined
  labels: string[]
  subject: string
  body: string
  files: { filename: string; mediaType: string; text: string }[]
}

interface ChatBeat extends Beat {
  kind: 'chat'
  channel: string
  author: CastKey
  replyTo: string | undefined
  text: string
}

export interface NoteBeat extends Beat {
  kind: 'note'
  key: string
  folder: string
  tags: string[]
  title: string
  body: string
}

export interface EventBeat extends Beat {
  kind: 'event'
  minutes: number
  title: string
  location: string
  people: CastKey[]
  status: string
  description: string
}

export interface OrderBeat extends Beat {
  kind: 'order'
  status: string
  category: string
  merchant: string
  lines: { quantity: number; cents: number; title: string }[]
}

export interface AiBeat extends Beat {
  kind: 'ai'
  title: string
  turns: { role: 'user' | 'assistant'; text: string }[]
}

export interface PlayBeat extends Beat {
  kind: 'play'
  artist: string
  track: string
  album: string
}

export type StoryBeat = MailBeat | ChatBeat | NoteBeat | EventBeat | OrderBeat | AiBeat | PlayBeat

/** The storylines and the streams must use the same ids, because evidence refers to records. */
export const orderId = (ref: string): string => idFor('ord', ref)
export const messageId = (ref: string): string => idFor('msg', ref)
export const attachmentId = (ref: string, index: number): string => idFor('att', `${ref}/${index}`)
export const chatId = (ref: string): string => idFor('cm', ref)
export const eventId = (ref: string): string => idFor('ev', ref)
export const conversationId = (ref: string): string => idFor('conv', ref)
export const turnId = (ref: string, index: number): string => idFor('am', `${ref}/${index}`)
