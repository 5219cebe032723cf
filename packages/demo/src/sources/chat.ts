import type { StreamDeclaration } from '../types.ts'
import { compare, flag, id, integer, list, person, source, text, time } from './schema.ts'

const channels: StreamDeclaration = {
  name: 'channels',
  description: 'Channels and direct conversations the owner is in.',
  display: { label: 'Channels' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Channel id, the same as its name'),
      name: text('Name of the channel', 'primary-title'),
      topic: text('What it is for', 'secondary'),
      private: flag('Whether it is a direct conversation'),
      created_at: time('When it was first seen', 'event-time'),
    },
    required: ['id', 'name', 'private', 'created_at'],
  },
  primary_key: ['id'],
  cursor_field: 'created_at',
  consent_time_field: 'created_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'name', 'topic'] }],
  relationships: [{ name: 'messages', stream: 'messages', foreign_key: 'channel', cardinality: 'has_many' }],
  query: {
    range_filters: { created_at: compare },
    search: { lexical_fields: ['name', 'topic'] },
    aggregations: { count: true, group_by: ['private'] },
    expand: [{ name: 'messages', default_limit: 10, max_limit: 50 }],
  },
}

const messages: StreamDeclaration = {
  name: 'messages',
  description: 'What was said in the channels.',
  display: { label: 'Messages', detail: 'Who said what, where and when' },
  semantics: 'append_only',
  schema: {
    type: 'object',
    properties: {
      id: id('Message id'),
      channel: text('Channel it was said in'),
      thread_id: { type: ['string', 'null'], description: 'The message it answers in a thread, if any' },
      author: person('Who said it', 'actor'),
      author_id: id('Member id of the author'),
      text: text('What was said', 'primary-title'),
      sent_at: time('When it was said', 'event-time'),
      reactions: list('Emoji left on it'),
      edited: flag('Whether it was changed afterwards'),
      provider_message_id: integer("The bridge's own number, larger than 2^53; only in bridged channels"),
    },
    required: ['id', 'channel', 'author', 'author_id', 'text', 'sent_at', 'edited'],
  },
  primary_key: ['id'],
  cursor_field: 'sent_at',
  consent_time_field: 'sent_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'channel', 'author', 'text', 'sent_at'] }],
  relationships: [{ name: 'answers', stream: 'messages', foreign_key: 'thread_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { sent_at: compare, provider_message_id: compare },
    search: { lexical_fields: ['text', 'author', 'channel'] },
    aggregations: {
      count: true,
      count_distinct: ['author', 'channel', 'thread_id'],
      group_by: ['channel', 'author', 'edited'],
      group_by_time: ['sent_at'],
      min: ['sent_at'],
      max: ['sent_at'],
    },
    group_field: 'channel',
  },
}

const members: StreamDeclaration = {
  name: 'members',
  description: 'People and bots in the team.',
  display: { label: 'Members' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Member id'),
      name: person('Name', 'primary-title'),
      email: id('Work address'),
      title: text('What the owner noted about them', 'secondary'),
      bot: flag('Whether it is a program'),
      joined_at: time('When they were first seen', 'event-time'),
    },
    required: ['id', 'name', 'bot', 'joined_at'],
  },
  primary_key: ['id'],
  cursor_field: 'joined_at',
  consent_time_field: 'joined_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'name', 'title'] }],
  relationships: [{ name: 'messages', stream: 'messages', foreign_key: 'author_id', cardinality: 'has_many' }],
  query: {
    range_filters: { joined_at: compare },
    search: { lexical_fields: ['name', 'title'] },
    aggregations: { count: true, group_by: ['bot'] },
    expand: [{ name: 'messages', default_limit: 10, max_limit: 50 }],
  },
}

export const chatSource = source('chat', 'Harbour chat', 'standard', [channels, messages, members])
