import type { StreamDeclaration } from '../types.ts'
import { compare, id, integer, list, maybeText, source, text, time } from './schema.ts'

const notes: StreamDeclaration = {
  name: 'notes',
  description: 'Notes and journal in Markdown.',
  display: { label: 'Notes', detail: 'Titles and full text, the journal included' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Note id; for some notes a path'),
      title: text('Title', 'primary-title'),
      body: maybeText('Text in Markdown', 'secondary'),
      folder: text('Folder'),
      created_at: time('When it was begun'),
      updated_at: time('When it was last changed', 'event-time'),
      tags: list('Tags'),
    },
    required: ['id', 'title', 'created_at', 'updated_at'],
  },
  primary_key: ['id'],
  cursor_field: 'updated_at',
  consent_time_field: 'created_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'folder', 'updated_at', 'tags'] }],
  query: {
    range_filters: { created_at: compare, updated_at: compare },
    search: { lexical_fields: ['title', 'body', 'folder', 'tags'] },
    aggregations: {
      count: true,
      count_distinct: ['folder'],
      group_by: ['folder'],
      group_by_time: ['created_at', 'updated_at'],
      min: ['created_at', 'updated_at'],
      max: ['created_at', 'updated_at'],
    },
  },
}

const conversations: StreamDeclaration = {
  name: 'conversations',
  description: 'Conversations with an AI assistant.',
  display: { label: 'Conversations', detail: 'Titles and dates' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Conversation id'),
      title: text('What it was about', 'primary-title'),
      model: text('Which model answered', 'secondary'),
      started_at: time('When it began'),
      updated_at: time('When it last went on', 'event-time'),
      message_count: integer('How many messages it holds'),
    },
    required: ['id', 'title', 'model', 'started_at', 'updated_at', 'message_count'],
  },
  primary_key: ['id'],
  cursor_field: 'updated_at',
  consent_time_field: 'started_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'updated_at'] }],
  relationships: [{ name: 'messages', stream: 'messages', foreign_key: 'conversation_id', cardinality: 'has_many' }],
  query: {
    range_filters: { started_at: compare, updated_at: compare, message_count: compare },
    search: { lexical_fields: ['title'] },
    aggregations: {
      count: true,
      count_distinct: ['model'],
      group_by: ['model'],
      group_by_time: ['started_at', 'updated_at'],
      min: ['started_at', 'message_count'],
      max: ['updated_at', 'message_count'],
      sum: ['message_count'],
    },
    expand: [{ name: 'messages', default_limit: 10, max_limit: 50 }],
  },
}

const messages: StreamDeclaration = {
  name: 'messages',
  description: 'What was asked and what was answered.',
  display: { label: 'Messages', detail: 'Questions and answers in full' },
  semantics: 'append_only',
  schema: {
    type: 'object',
    properties: {
      id: id('Message id'),
      conversation_id: id('The conversation it belongs to'),
      conversation: text('What that conversation was about'),
      role: { type: 'string', description: 'Who speaks', enum: ['user', 'assistant'], x_pdpp_role: 'actor' },
      text: text('What was said', 'primary-title'),
      sent_at: time('When it was said', 'event-time'),
    },
    required: ['id', 'conversation_id', 'conversation', 'role', 'text', 'sent_at'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'conversation_id', 'conversation', 'role', 'sent_at'] }],
  relationships: [
    { name: 'in_conversation', stream: 'conversations', foreign_key: 'conversation_id', cardinality: 'belongs_to' },
  ],
  query: {
    range_filters: { sent_at: compare },
    search: { lexical_fields: ['text', 'conversation'] },
    aggregations: {
      count: true,
      count_distinct: ['conversation_id'],
      group_by: ['role', 'conversation_id'],
      group_by_time: ['sent_at'],
      min: ['sent_at'],
      max: ['sent_at'],
    },
    group_field: 'conversation_id',
  },
}

export const notesSource = source('notes', 'Notes', 'standard', [notes])
export const assistantSource = source('assistant', 'AI conversations', 'standard', [conversations, messages])
