import type { StreamDeclaration } from '@pdpp/protocol'
import { blobSchema } from '../../reading/blob.ts'
import { COMPARE, id, list, person, text, time } from '../schema.ts'

const values = (description: string) => ({
  type: 'array',
  items: {
    type: 'object',
    properties: { value: { type: 'string' }, label: { type: ['string', 'null'] } },
    required: ['value'],
  },
  description,
})

/** People of an address book. */
export const contacts: StreamDeclaration = {
  name: 'contacts',
  description: 'People and organisations of an address book.',
  display: { label: 'Contacts', detail: 'Names, numbers, addresses, birthdays and notes' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the contact'),
      name: person('Name as it is shown', 'primary-title'),
      given_name: text('Given name'),
      family_name: text('Family name'),
      nickname: text('Nickname'),
      organisation: text('Organisation'),
      job_title: text('Job title'),
      emails: values('Mail addresses'),
      phones: values('Phone numbers'),
      addresses: values('Postal addresses, on one line each'),
      urls: values('Web addresses'),
      email: text('First mail address'),
      phone: text('First phone number'),
      birthday: text('Birthday: YYYY-MM-DD, or --MM-DD without a year'),
      groups: list('Groups and labels'),
      note: text('Notes', 'secondary'),
      updated_at: time('When it was last changed', 'event-time'),
      photo: blobSchema('Picture', { x_pdpp_role: 'media' }),
      detail: { type: ['object', 'null'], description: 'What else the export says' },
    },
    required: ['id', 'emails', 'phones', 'addresses', 'urls', 'groups'],
  },
  primary_key: ['id'],
  cursor_field: 'updated_at',
  consent_time_field: 'updated_at',
  views: [
    { id: 'summary', label: 'Summary', fields: ['id', 'name', 'organisation'] },
    { id: 'reach', label: 'How to reach them', fields: ['id', 'name', 'emails', 'phones'] },
  ],
  query: {
    range_filters: { updated_at: COMPARE },
    search: { lexical_fields: ['name', 'nickname', 'organisation', 'email', 'phone', 'note'] },
    aggregations: { count: true, group_by: ['organisation'] },
  },
}
