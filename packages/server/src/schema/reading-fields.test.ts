import { requireDeclaration } from '@pdpp/protocol'
import { expect, it } from 'vitest'
import { declaration, key, stream } from '../../../../tests/fixtures/declaration.ts'
import { byInterest, readingFields } from './reading-fields.ts'

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }

function rows(properties: Record<string, object>, more: object = {}) {
  const members = stream({ id: key(), ...properties }, { semantics: 'append_only', ...more })
  return requireDeclaration(declaration('fields', { rows: members })).streams[0]!
}

it('prefers roles to names, and names to declaration order', () => {
  const roles = rows({
    author: text,
    title: text,
    when: { ...time, x_pdpp_role: 'event-time' },
    writer: { ...text, x_pdpp_role: 'actor' },
    headline: { ...text, x_pdpp_role: 'primary-title' },
    body: text,
  })
  expect(readingFields(roles, 'all')).toEqual(['when', 'writer', 'headline', 'body'])
  const names = rows(
    { thread_id: text, size: { type: 'integer' }, sender: text, subject: text, folder: text, at: time, body: text },
    { consent_time_field: 'at' },
  )
  expect(readingFields(names, 'all')).toEqual(['at', 'sender', 'folder', 'subject', 'body'])
})

it('falls back to a searched text, and adds the amount', () => {
  const searched = rows(
    {
      shop: { ...text, x_pdpp_role: 'primary-title' },
      remark: text,
      cents: { type: 'integer', x_pdpp_role: 'amount' },
    },
    { query: { search: { lexical_fields: ['shop', 'remark'] } } },
  )
  expect(readingFields(searched, 'all')).toEqual(['shop', 'remark', 'cents', 'id'])
})

it('returns binary fields only if there is nothing else', () => {
  const bytes = { ...text, contentEncoding: 'base64' }
  const pictures = rows({ photo: bytes, thumb: bytes, title: text, place_id: text, camera: text })
  expect(readingFields(pictures, 'all')).toEqual(['title', 'camera', 'id', 'place_id'])
  expect(readingFields(rows({ photo: bytes }), 'all')).toEqual(['id', 'photo'])
})

it('returns granted fields only, and fills up with ids last', () => {
  const wide = rows({ owner_id: text, sender: text, body: text, colour: text, weight: text, height: text })
  expect(readingFields(wide, ['id', 'owner_id', 'colour', 'weight'])).toEqual(['colour', 'weight', 'id', 'owner_id'])
  expect(readingFields(wide, ['id'])).toEqual(['id'])
})

it('orders people, containers and kinds, and avoids ids', () => {
  const chat = rows({ conversation_id: text, kind: text, channel: text, who: { ...text, x_pdpp_role: 'actor' } })
  const names = ['conversation_id', 'kind', 'channel', 'who']
  expect(byInterest(chat, 'all', names)).toEqual(['who', 'channel', 'kind'])
  expect(byInterest(chat, 'all', ['conversation_id'])).toEqual(['conversation_id'])
})

it('ignores a cursor field that is not a time', () => {
  const numbered = rows({ version: { type: 'integer' }, text }, { cursor_field: 'version' })
  expect(readingFields(numbered, 'all')[0]).toBe('text')
})
