import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import { blobSchema } from '../../reading/blob.ts'
import { COMPARE, fixedSource, flag, id, integer, list, person, reference, text, time } from '../schema.ts'

const conversations: StreamDeclaration = {
  name: 'conversations',
  description: 'Chats, groups and channels.',
  display: { label: 'Conversations', detail: 'Their names, kinds and when they were active' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the conversation'),
      name: text('Name as people know it', 'primary-title'),
      kind: text('What it is: direct, group, channel, …'),
      topic: text('What it is about', 'secondary'),
      participants: list('Names of the people in it'),
      message_count: integer('How many messages the export has'),
      first_at: time('First message'),
      last_at: time('Last message', 'event-time'),
    },
    required: ['id', 'participants'],
  },
  primary_key: ['id'],
  cursor_field: 'last_at',
  consent_time_field: 'last_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'name', 'kind', 'last_at'] }],
  relationships: [
    { name: 'messages', stream: 'messages', foreign_key: 'conversation_id', cardinality: 'has_many' },
    { name: 'members', stream: 'participants', foreign_key: 'conversation_id', cardinality: 'has_many' },
  ],
  query: {
    range_filters: { first_at: COMPARE, last_at: COMPARE, message_count: COMPARE },
    search: { lexical_fields: ['name', 'topic'] },
    aggregations: { count: true, group_by: ['kind'], sum: ['message_count'], min: ['first_at'], max: ['last_at'] },
    expand: [
      { name: 'messages', default_limit: 10, max_limit: 50 },
      { name: 'members', default_limit: 20, max_limit: 100 },
    ],
  },
}

const participants: StreamDeclaration = {
  name: 'participants',
  description: 'Who is in which conversation.',
  display: { label: 'People', detail: 'Names, and numbers or addresses where the export has them' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the conversation and of the person'),
      conversation_id: id('The conversation'),
      person_id: id('The person, the same in every conversation of this source'),
      name: person('Name', 'primary-title'),
      handle: text('Phone number, address or user name'),
      role: text('What they are in it: owner, admin, bot, …'),
      is_self: { type: ['boolean', 'null'], description: 'Whether this is the owner of the data, where that is known' },
    },
    required: ['id', 'conversation_id', 'person_id'],
  },
  primary_key: ['id'],
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'conversation_id', 'name'] }],
  relationships: [
    { name: 'conversation', stream: 'conversations', foreign_key: 'conversation_id', cardinality: 'belongs_to' },
    { name: 'messages', stream: 'messages', foreign_key: 'author_id', cardinality: 'has_many' },
  ],
  query: {
    search: { lexical_fields: ['name', 'handle'] },
    aggregations: { count: true, count_distinct: ['person_id', 'conversation_id'], group_by: ['name', 'role'] },
    expand: [{ name: 'messages', default_limit: 10, max_limit: 50 }],
    group_field: 'conversation_id',
  },
}

const messages: StreamDeclaration = {
  name: 'messages',
  description: 'What was written or sent, and by whom.',
  display: { label: 'Messages', detail: 'Who said what, in which conversation, and when' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the message'),
      conversation_id: id('The conversation'),
      conversation: text('Name of the conversation'),
      author: person('Who wrote it', 'actor'),
      author_id: reference('The participant who wrote it'),
      sent_at: time('When it was sent', 'event-time'),
      kind: id('text, media, call, system, …'),
      text: text('What it says', 'primary-title'),
      reply_to_id: reference('The message that it answers'),
      thread_id: reference('The message that began its thread'),
      forwarded_from: person('Who wrote it first, if it was forwarded'),
      edited_at: time('When it was last changed'),
      is_edited: flag('Whether it was changed'),
      is_deleted: flag('Whether it was deleted, so that the text may be gone'),
      edits: {
        type: 'array',
        items: { type: 'object', properties: { at: reference('When'), text: reference('What it said') } },
        description: 'What it said before, where the export has that',
      },
      reactions: list('Emoji left on it, one for each person'),
      links: list('Addresses that it contains, where the export lists them'),
      attachment_count: { type: 'integer', description: 'How many files it has' },
      detail: { description: 'What else the export says: a place, a poll, a call', type: ['object', 'null'] },
    },
    required: ['id', 'conversation_id', 'kind', 'is_edited', 'is_deleted', 'attachment_count'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'conversation', 'author', 'text', 'sent_at'] }],
  relationships: [
    { name: 'in', stream: 'conversations', foreign_key: 'conversation_id', cardinality: 'belongs_to' },
    { name: 'by', stream: 'participants', foreign_key: 'author_id', cardinality: 'belongs_to' },
    { name: 'answers', stream: 'messages', foreign_key: 'reply_to_id', cardinality: 'belongs_to' },
    { name: 'attachments', stream: 'attachments', foreign_key: 'message_id', cardinality: 'has_many' },
    { name: 'reacted', stream: 'reactions', foreign_key: 'message_id', cardinality: 'has_many' },
  ],
  query: {
    range_filters: { sent_at: COMPARE },
    search: { lexical_fields: ['text', 'author', 'conversation'] },
    aggregations: {
      count: true,
      count_distinct: ['author', 'conversation', 'conversation_id'],
      group_by: ['conversation', 'author', 'kind', 'is_edited', 'is_deleted'],
      group_by_time: ['sent_at'],
      min: ['sent_at'],
      max: ['sent_at'],
      sum: ['attachment_count'],
    },
    expand: [
      { name: 'attachments', default_limit: 10, max_limit: 50 },
      { name: 'reacted', default_limit: 10, max_limit: 50 },
    ],
    group_field: 'conversation_id',
  },
}

const reactions: StreamDeclaration = {
  name: 'reactions',
  description: 'Emoji that people left on messages.',
  display: { label: 'Reactions' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the message, the person and the emoji'),
      message_id: id('The message'),
      conversation_id: id('The conversation'),
      emoji: text('The emoji, or its name', 'primary-title'),
      author: person('Who left it', 'actor'),
      reacted_at: time('When, or else when the message was sent', 'event-time'),
    },
    required: ['id', 'message_id', 'conversation_id'],
  },
  primary_key: ['id'],
  cursor_field: 'reacted_at',
  consent_time_field: 'reacted_at',
  relationships: [{ name: 'message', stream: 'messages', foreign_key: 'message_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { reacted_at: COMPARE },
    aggregations: {
      count: true,
      count_distinct: ['author', 'message_id'],
      group_by: ['emoji', 'author'],
      group_by_time: ['reacted_at'],
    },
    group_field: 'conversation_id',
  },
}

const attachments: StreamDeclaration = {
  name: 'attachments',
  description: 'Files that came with messages: what they are, the files themselves, and their text.',
  display: { label: 'Attachments', detail: 'File names, types and sizes, the files, and the text in them' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the message and the number of the file'),
      message_id: id('The message that it came with'),
      conversation_id: id('The conversation'),
      filename: text('File name', 'primary-title'),
      kind: text('What it is: photo, video, voice, sticker, file, …'),
      media_type: text('Media type'),
      size_bytes: integer('Size of the file'),
      sha256: text('SHA-256 of the file, in hex'),
      url: text('Address that the export gives for it'),
      is_missing: flag('Whether the export names the file without having it'),
      sent_at: time('When the message was sent', 'event-time'),
      extracted_text: text('Text in the file', 'secondary'),
      blob_ref: blobSchema('The file itself', { x_pdpp_role: 'media', x_pdpp_text_field: 'extracted_text' }),
    },
    required: ['id', 'message_id', 'conversation_id', 'is_missing'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  relationships: [{ name: 'message', stream: 'messages', foreign_key: 'message_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { sent_at: COMPARE, size_bytes: COMPARE },
    search: { lexical_fields: ['filename', 'extracted_text'] },
    aggregations: {
      count: true,
      count_distinct: ['message_id', 'sha256'],
      group_by: ['kind', 'media_type', 'is_missing'],
      group_by_time: ['sent_at'],
      sum: ['size_bytes'],
    },
    group_field: 'conversation_id',
  },
}

/** A chat service with conversations, people, messages, reactions and attachments. `more` are further streams. */
export const conversationSource = (
  key: string,
  name: string,
  version = 1,
  more: StreamDeclaration[] = [],
): SourceDeclaration =>
  fixedSource(key, name, version, [conversations, participants, messages, reactions, attachments, ...more])
