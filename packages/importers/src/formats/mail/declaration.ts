import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import { blobSchema } from '../../reading/blob.ts'

const compare: ('gte' | 'gt' | 'lte' | 'lt')[] = ['gte', 'gt', 'lte', 'lt']
const text = (description: string, more: object = {}) => ({ type: ['string', 'null'], description, ...more })
const list = (description: string) => ({ type: 'array', items: { type: 'string' }, description })
const flag = (description: string) => ({ type: ['boolean', 'null'], description })
const count = (description: string) => ({ type: 'integer', description })
const time = (description: string) => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
  x_pdpp_role: 'event-time',
  x_pdpp_type: 'timestamp',
})

const messages: StreamDeclaration = {
  name: 'messages',
  description: 'Every mail of the imported folders, with its text.',
  display: { label: 'Messages', detail: 'Who wrote, to whom, when, and the full text' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Message-ID, or made from the content where there is none' },
      thread_id: { type: 'string', description: 'Id of the mail that began the conversation' },
      in_reply_to: text('Id of the mail that this one answers'),
      subject: text('Subject line', { x_pdpp_role: 'primary-title', x_pdpp_type: 'text' }),
      from_name: text('Sender as named in the mail', { x_pdpp_role: 'actor', x_pdpp_type: 'person' }),
      from_address: text("Sender's address"),
      to: list('Recipients'),
      cc: list('Recipients of a copy'),
      bcc: list('Recipients that the others do not see'),
      sent_at: time('When it was sent'),
      folder: text('Folder it lay in'),
      labels: list('Labels and keywords'),
      text: text('Text of the mail; of an HTML mail what one would read', {
        x_pdpp_role: 'secondary',
        x_pdpp_type: 'text',
      }),
      is_read: flag('Whether it was read, where the file says so'),
      is_flagged: flag('Whether it was flagged or starred, where the file says so'),
      has_attachments: { type: 'boolean', description: 'Whether files are attached' },
      attachment_count: count('How many files are attached'),
      size_bytes: count('Size with attachments'),
    },
    required: ['id', 'thread_id', 'to', 'has_attachments', 'size_bytes'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  views: [
    { id: 'summary', label: 'Summary', fields: ['id', 'thread_id', 'subject', 'from_name', 'sent_at', 'folder'] },
    {
      id: 'headers',
      label: 'Headers without text',
      fields: [
        'id',
        'thread_id',
        'in_reply_to',
        'subject',
        'from_name',
        'from_address',
        'to',
        'cc',
        'sent_at',
        'folder',
        'labels',
        'has_attachments',
        'size_bytes',
      ],
    },
  ],
  relationships: [{ name: 'attachments', stream: 'attachments', foreign_key: 'message_id', cardinality: 'has_many' }],
  query: {
    range_filters: { sent_at: compare, size_bytes: compare },
    search: { lexical_fields: ['subject', 'text', 'from_name', 'from_address', 'labels'] },
    aggregations: {
      count: true,
      count_distinct: ['thread_id', 'from_address', 'from_name'],
      group_by: ['folder', 'from_address', 'from_name', 'has_attachments', 'is_read'],
      group_by_time: ['sent_at'],
      min: ['sent_at', 'size_bytes'],
      max: ['sent_at', 'size_bytes'],
      sum: ['size_bytes'],
    },
    expand: [{ name: 'attachments', default_limit: 10, max_limit: 50 }],
    group_field: 'thread_id',
  },
}

const attachments: StreamDeclaration = {
  name: 'attachments',
  description:
    'Files that came with the mails: what they are, the files themselves, and the text of those that are text.',
  display: { label: 'Attachments', detail: 'File names, types and sizes, the files, and the text in them' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Id of the mail and the number of the file' },
      message_id: { type: 'string', description: 'The mail it came with' },
      filename: text('File name', { x_pdpp_role: 'primary-title', x_pdpp_type: 'text' }),
      media_type: { type: 'string', description: 'Media type' },
      size_bytes: count('Size of the file'),
      sha256: { type: 'string', description: 'SHA-256 of the file, in hex' },
      is_inline: { type: 'boolean', description: 'Shown within the text, as a picture is' },
      sent_at: time('When the mail was sent'),
      extracted_text: text('Content of a file that is text', { x_pdpp_role: 'secondary', x_pdpp_type: 'text' }),
      blob_ref: blobSchema('The file itself', { x_pdpp_role: 'media', x_pdpp_text_field: 'extracted_text' }),
    },
    required: ['id', 'message_id', 'media_type', 'size_bytes', 'sha256', 'is_inline'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  query: {
    range_filters: { sent_at: compare, size_bytes: compare },
    search: { lexical_fields: ['filename', 'extracted_text'] },
    aggregations: {
      count: true,
      count_distinct: ['message_id', 'media_type', 'sha256'],
      group_by: ['media_type', 'is_inline'],
      group_by_time: ['sent_at'],
      min: ['size_bytes', 'sent_at'],
      max: ['size_bytes', 'sent_at'],
      sum: ['size_bytes'],
    },
    group_field: 'message_id',
  },
}

const MAIL_SOURCE_ID = 'urn:pdpp:importer:mail'

export const mailDeclaration = (connectorKey: string): SourceDeclaration => ({
  protocol_version: '0.1.0',
  source: { kind: 'connector', id: MAIL_SOURCE_ID },
  connector_key: connectorKey,
  declaration_version: '2',
  display: { name: 'Mailbox' },
  sensitivity: 'standard',
  streams: [messages, attachments],
})
