import { checkDeclaration, compileRecordSchema, type SourceDeclaration } from '@pdpp/protocol'
import { describe, expect, it } from 'vitest'
import type { ImportedRecord } from '../importer.ts'
import { blobOf } from '../reading/blob.ts'
import { conversationSource } from './conversation/declaration.ts'
import { Conversation } from './conversation/records.ts'
import { contacts } from './person/declaration.ts'
import { contactRecord } from './person/record.ts'
import { fixedSource } from './schema.ts'

function faults({ streams }: SourceDeclaration, records: readonly ImportedRecord[]): unknown[] {
  return records.flatMap(({ stream, data }) => {
    const check = compileRecordSchema(streams.find(({ name }) => name === stream)!.schema)
    if (typeof check === 'string') return [check]
    return check(data) ?? []
  })
}

describe('a conversation', () => {
  const place = { input: 'chat.json' }

  it('has records that fit its declaration', () => {
    const declaration = conversationSource('chat', 'Chat')
    expect(checkDeclaration(declaration)).not.toHaveProperty('problems')
    const chat = new Conversation({ id: 'c1', name: 'Rope club' }, [{ id: 'u2', handle: '+49 30 000000' }])
    const photo = blobOf('/blob_ref', Buffer.from('x'), 'image/png')
    const records = [
      ...chat.message({ id: 'm2', sentAt: '2026-01-02T10:00:00+01:00', author: { id: 'u1', name: 'Ida' } }, place),
      ...chat.message(
        {
          id: 'm1',
          sentAt: '2026-01-02T09:30:00Z',
          text: 'Knots',
          author: { id: 'u2', name: 'Bo' },
          edits: [{ at: '2026-01-02T09:31:00Z', text: 'Knot' }],
          reactions: [{ emoji: '👍' }, { emoji: '👍' }, { emoji: '👍', author: 'Ida' }],
          attachments: [{ blob: photo, kind: 'photo' }, { filename: 'lost.pdf' }],
        },
        place,
      ),
      ...chat.end(place),
    ]
    expect(faults(declaration, records)).toEqual([])
    expect(records.map(({ stream, key }) => `${stream} ${key}`)).toEqual([
      'messages m2',
      'messages m1',
      'reactions m1//👍',
      'reactions m1//👍/2',
      'reactions m1/Ida/👍',
      'attachments m1/1',
      'attachments m1/2',
      'conversations c1',
      'participants c1/u2',
      'participants c1/u1',
    ])
    expect(records[7]!.data).toMatchObject({
      participants: ['Bo', 'Ida'],
      message_count: 2,
      first_at: '2026-01-02T10:00:00+01:00',
      last_at: '2026-01-02T09:30:00Z',
    })
    expect(records[8]!.data).toMatchObject({ name: 'Bo', handle: '+49 30 000000' })
  })
})

describe('a contact', () => {
  it('has a record that fits its declaration, whatever is missing', () => {
    const declaration = fixedSource('people', 'People', 1, [contacts])
    expect(checkDeclaration(declaration)).not.toHaveProperty('problems')
    const photo = blobOf('/photo', Buffer.from('x'), 'image/png')
    const full = contactRecord(
      { id: 'b', name: 'Bo', emails: [{ value: 'bo@example.org' }], photo },
      { input: 'a.vcf' },
    )
    expect(faults(declaration, [contactRecord({ id: 'a' }, { input: 'a.vcf' }), full])).toEqual([])
    expect(full.data).toMatchObject({ email: 'bo@example.org', emails: [{ value: 'bo@example.org', label: null }] })
  })
})
