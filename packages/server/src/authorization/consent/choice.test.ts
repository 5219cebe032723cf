import { expect } from 'vitest'
import { declaration, key, stream, text } from '../../../../../tests/fixtures/declaration.ts'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { resolveSelection } from '../../grants/selection.ts'
import { readChoice } from './choice.ts'
import type { OfferedSource } from './offer.ts'

/** A source with two ordinary parts and a sensitive one. */
function offered(connections: readonly string[]): OfferedSource {
  const fields = { id: key(), title: text(), body: text() }
  const declared = declaration('mail', { letters: stream(fields), labels: stream(fields), drafts: stream(fields) })
  const source = declared as unknown as OfferedSource['declaration']
  return {
    key: 'mail',
    declaration: source,
    sensitive: false,
    asked: undefined,
    connections: connections.map((connectionId) => ({ connectionId }) as OfferedSource['connections'][number]),
    streams: resolveSelection(source, { connections }).map((maxGrant, index) => ({
      declaration: source.streams[index]!,
      maxGrant,
      required: ['id'],
      sensitive: maxGrant.name === 'drafts',
    })),
  }
}

function read(connections: readonly string[], form: string) {
  const { streams, connections: chosen } = readChoice(new URLSearchParams(form), [offered(connections)]).sources.get(
    'mail',
  )!
  return [chosen, [...streams.keys()]]
}

const NOTHING = [[], []]
const ORDINARY = ['letters', 'labels']

verifies.each('checklist 5', [
  ['a tick shares the ordinary parts', 'row/mail=on', [['home'], ORDINARY]],
  ['a source that was unticked shares nothing', 'was/mail=home&stream/mail=letters', NOTHING],
  ['a tick that stays keeps its parts', 'was/mail=home&row/mail=on&stream/mail=labels', [['home'], ['labels']]],
  ['no part of a ticked source is left', 'was/mail=home&row/mail=on&parts/mail=listed', NOTHING],
  ['parts below a line without a tick', 'stream/mail=labels', [['home'], ['labels']]],
  ['a tick brings back what was unticked', 'row/mail=on&kept/mail=labels', [['home'], ['labels']]],
  ['a sensitive part is shared by its own tick', 'row/mail=on&stream/mail=drafts', [['home'], ['drafts']]],
  ['names that nobody offered', 'row/other=on&stream/other=letters&stream/mail=secrets', NOTHING],
])('of one account: %s', (_title, form, expected) => {
  expect(read(['home'], form as string)).toEqual(expected)
})

verifies.each('checklist 5', [
  ['one of its accounts', 'connection/mail=work', [['work'], ORDINARY]],
  ['an account that was unticked shares nothing', 'was/mail=home&stream/mail=letters', NOTHING],
  [
    'another account joins',
    'was/mail=home&connection/mail=home&connection/mail=work&stream/mail=letters',
    [['home', 'work'], ['letters']],
  ],
  ['an account that is not here', 'connection/mail=foreign', NOTHING],
])('of two accounts: %s', (_title, form, expected) => {
  expect(read(['home', 'work'], form as string)).toEqual(expected)
})
