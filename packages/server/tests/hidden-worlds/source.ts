import {
  declaration,
  integer,
  key,
  searched,
  stream,
  text,
  time,
  title,
} from '../../../../tests/fixtures/declaration.ts'
import type { Random } from './random.ts'

/** Two streams that belong together, and one that nobody is granted. */
export const letterSource = (name: string) =>
  declaration(
    name,
    {
      letters: stream(
        {
          id: key(),
          topic: title(),
          body: searched(),
          sender: { ...text(), x_pdpp_role: 'actor' },
          sent_at: time(),
          size: integer(),
          thread: text(),
          secret: searched(),
        },
        {
          relationships: [{ name: 'replies', stream: 'replies', foreign_key: 'letter_id', cardinality: 'has_many' }],
          query: {
            group_field: 'thread',
            range_filters: { size: ['gte', 'lt'] },
            aggregations: {
              count_distinct: ['sender', 'topic'],
              group_by: ['sender', 'thread'],
              group_by_time: ['sent_at'],
              sum: ['size'],
              min: ['size', 'sent_at'],
              max: ['size', 'sent_at'],
            },
            expand: [{ name: 'replies' }],
          },
        },
      ),
      replies: stream({ id: key(), letter_id: text(), text: text(), at: time() }),
      drafts: stream({ id: key(), text: text() }),
    },
    { display: { name: 'Letters' } },
  )

export const LETTER_FIELDS = ['topic', 'body', 'sender', 'size', 'thread', 'secret'] as const

const WORDS = ['storm', 'harbour', 'herring', 'calm', 'lamp', 'rope', 'the', 'boat', 'north', 'letter']
const SENDERS = ['Ada Reed', 'Bo Finch', 'Cy Marsh', 'Di Holt']
const EMITTED = '2026-02-01T00:00:00Z'

export const day = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1) + number * 86_400_000 + (number % 24) * 3_600_000).toISOString()

const words = (random: Random, count: number): string => Array.from({ length: count }, () => random.of(WORDS)).join(' ')

export interface Sent {
  readonly key: string
  readonly data: Record<string, unknown>
  readonly emitted_at: string
}

export function letter(random: Random, id: string, at: string | null, more: Record<string, unknown> = {}): Sent {
  const data = {
    id,
    topic: words(random, 3),
    body: words(random, 1 + random.below(60)),
    sender: random.of(SENDERS),
    sent_at: at,
    size: random.below(1_000),
    thread: `t${random.below(5)}`,
    secret: words(random, 4),
    ...more,
  }
  return { key: id, data, emitted_at: EMITTED }
}

export function reply(random: Random, id: string, letterId: string, at: string | null): Sent {
  return { key: id, data: { id, letter_id: letterId, text: words(random, 6), at }, emitted_at: EMITTED }
}
