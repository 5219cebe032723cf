import type { StreamDeclaration } from '../types.ts'
import { cents, compare, flag, id, integer, list, maybeText, person, source, text, time } from './schema.ts'

const events: StreamDeclaration = {
  name: 'events',
  description: 'Appointments, meetings and journeys.',
  display: { label: 'Events', detail: 'Titles, times, places and who takes part' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Event id'),
      title: text('Title', 'primary-title'),
      starts_at: time('Begin, with offset', 'event-time'),
      ends_at: time('End, with offset'),
      location: text('Place', 'secondary'),
      attendees: list('Who takes part', 'person'),
      organizer: person('Who called it', 'actor'),
      description: maybeText('Notes on the event'),
      status: { type: 'string', description: 'State', enum: ['confirmed', 'tentative', 'cancelled'] },
      all_day: flag('Whether it takes the whole day'),
    },
    required: ['id', 'title', 'starts_at', 'ends_at', 'attendees', 'organizer', 'status', 'all_day'],
  },
  primary_key: ['id'],
  cursor_field: 'starts_at',
  consent_time_field: 'starts_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'starts_at', 'ends_at', 'location'] }],
  query: {
    range_filters: { starts_at: compare, ends_at: compare },
    search: { lexical_fields: ['title', 'location', 'organizer', 'description', 'attendees'] },
    aggregations: {
      count: true,
      count_distinct: ['title', 'location', 'organizer'],
      group_by: ['status', 'organizer', 'location', 'all_day'],
      group_by_time: ['starts_at'],
      min: ['starts_at'],
      max: ['ends_at'],
    },
  },
}

const contacts: StreamDeclaration = {
  name: 'contacts',
  description: 'People and organisations in the address book.',
  display: { label: 'Contacts', detail: 'Names, addresses, numbers and private notes' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Contact id'),
      name: person('Name', 'primary-title'),
      emails: list('Mail addresses'),
      phones: list('Telephone numbers'),
      organization: maybeText('Where they work', 'secondary'),
      note: text("The owner's remark"),
      updated_at: time('When the entry last changed', 'event-time'),
    },
    required: ['id', 'name', 'emails', 'phones', 'updated_at'],
  },
  primary_key: ['id'],
  cursor_field: 'updated_at',
  consent_time_field: 'updated_at',
  views: [{ id: 'summary', label: 'Names only', fields: ['id', 'name', 'organization'] }],
  query: {
    range_filters: { updated_at: compare },
    search: { lexical_fields: ['name', 'organization', 'note'] },
    aggregations: {
      count: true,
      count_distinct: ['organization'],
      group_by: ['organization'],
      group_by_time: ['updated_at'],
    },
  },
}

const plays: StreamDeclaration = {
  name: 'plays',
  description: 'Every track listened to.',
  display: { label: 'Plays', detail: 'Tracks and when they were played' },
  semantics: 'append_only',
  schema: {
    type: 'object',
    properties: {
      track: text('Title of the track', 'primary-title'),
      artist: person('Artist', 'actor'),
      album: text('Album', 'secondary'),
      played_at: time('When it began', 'event-time'),
      duration_ms: integer('How long it played'),
      skipped: flag('Whether it was broken off'),
    },
    required: ['track', 'artist', 'album', 'played_at', 'duration_ms', 'skipped'],
  },
  primary_key: ['played_at', 'track'],
  cursor_field: 'played_at',
  consent_time_field: 'played_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['track', 'artist', 'played_at'] }],
  query: {
    range_filters: { played_at: compare, duration_ms: compare },
    search: { lexical_fields: ['track', 'artist', 'album'] },
    aggregations: {
      count: true,
      count_distinct: ['track', 'artist', 'album'],
      group_by: ['artist', 'album', 'track', 'skipped'],
      group_by_time: ['played_at'],
      min: ['played_at', 'duration_ms'],
      max: ['played_at', 'duration_ms'],
      sum: ['duration_ms'],
    },
  },
}

const orders: StreamDeclaration = {
  name: 'orders',
  description: 'Orders with their totals.',
  display: { label: 'Orders', detail: 'Shops, dates and amounts' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Order id'),
      merchant: text('Shop', 'primary-title'),
      ordered_at: time('When it was ordered', 'event-time'),
      total_cents: cents('Total in cents'),
      currency: id('Currency code'),
      status: { type: 'string', description: 'State', enum: ['delivered', 'returned', 'refunded'] },
      category: text('Kind of goods', 'secondary'),
    },
    required: ['id', 'merchant', 'ordered_at', 'total_cents', 'currency', 'status', 'category'],
  },
  primary_key: ['id'],
  cursor_field: 'ordered_at',
  consent_time_field: 'ordered_at',
  views: [{ id: 'summary', label: 'Without amounts', fields: ['id', 'merchant', 'ordered_at', 'category'] }],
  relationships: [{ name: 'items', stream: 'items', foreign_key: 'order_id', cardinality: 'has_many' }],
  query: {
    range_filters: { ordered_at: compare, total_cents: compare },
    search: { lexical_fields: ['merchant', 'category'] },
    aggregations: {
      count: true,
      count_distinct: ['merchant', 'category'],
      group_by: ['merchant', 'category', 'status', 'currency'],
      group_by_time: ['ordered_at'],
      min: ['total_cents', 'ordered_at'],
      max: ['total_cents', 'ordered_at'],
      sum: ['total_cents'],
    },
    expand: [{ name: 'items', default_limit: 10, max_limit: 50 }],
  },
}

const items: StreamDeclaration = {
  name: 'items',
  description: 'What was in each order.',
  display: { label: 'Items', detail: 'Each thing bought and its price' },
  semantics: 'append_only',
  schema: {
    type: 'object',
    properties: {
      order_id: id('The order it belongs to'),
      line: integer('Position in the order, from 1'),
      title: text('What it is', 'primary-title'),
      quantity: integer('How many'),
      price_cents: cents('Price of one, in cents'),
      ordered_at: time('When it was ordered', 'event-time'),
    },
    required: ['order_id', 'line', 'title', 'quantity', 'price_cents', 'ordered_at'],
  },
  primary_key: ['order_id', 'line'],
  cursor_field: 'ordered_at',
  consent_time_field: 'ordered_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['order_id', 'line', 'title', 'ordered_at'] }],
  relationships: [{ name: 'order', stream: 'orders', foreign_key: 'order_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { ordered_at: compare, price_cents: compare, quantity: compare },
    search: { lexical_fields: ['title'] },
    aggregations: {
      count: true,
      count_distinct: ['title', 'order_id'],
      group_by: ['title'],
      group_by_time: ['ordered_at'],
      min: ['price_cents'],
      max: ['price_cents'],
      sum: ['price_cents', 'quantity'],
    },
    group_field: 'order_id',
  },
}

export const calendarSource = source('calendar', 'Calendar', 'standard', [events])
export const contactsSource = source('contacts', 'Contacts', 'sensitive', [contacts])
export const musicSource = source('music', 'Music', 'standard', [plays])
export const purchasesSource = source('purchases', 'Purchases', 'sensitive', [orders, items])
