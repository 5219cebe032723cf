import type { SourceDeclaration, StreamDeclaration } from '@pdpp/protocol'
import { blobSchema } from '../../reading/blob.ts'
import { COMPARE, fixedSource, flag, id, integer, list, number, person, reference, text, time } from '../schema.ts'

const notes: StreamDeclaration = {
  name: 'notes',
  description: 'Notes, pages and journal entries with their text.',
  display: { label: 'Notes', detail: 'Titles, full texts, tags, and where and when they were written' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the note'),
      title: text('Title', 'primary-title'),
      text: text('What it says', 'secondary'),
      folder: text('Folder, notebook, journal or database that it lies in'),
      path: text('Path of its file in the export'),
      tags: list('Tags and labels'),
      aliases: list('Other names of the note'),
      author: person('Who wrote it', 'actor'),
      noted_at: time('When it was written: the day it is about, or when it was created, or last changed', 'event-time'),
      created_at: time('When it was created'),
      updated_at: time('When it was last changed'),
      url: text('Address that it was taken from'),
      place: text('Name of the place where it was written'),
      latitude: number('Latitude of the place, in degrees'),
      longitude: number('Longitude of the place, in degrees'),
      is_pinned: flag('Whether it is pinned, starred or a favourite'),
      is_archived: flag('Whether it is archived'),
      is_deleted: flag('Whether it lies in the bin'),
      is_locked: flag('Whether it, or a part of it, is encrypted, so that this text is missing'),
      properties: { description: 'Other properties that the note has', type: ['object', 'null'] },
      attachment_count: { type: 'integer', description: 'How many files it has' },
    },
    required: ['id', 'tags', 'is_pinned', 'is_archived', 'is_deleted', 'is_locked', 'attachment_count'],
  },
  primary_key: ['id'],
  cursor_field: 'noted_at',
  consent_time_field: 'noted_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'folder', 'tags', 'noted_at'] }],
  relationships: [
    { name: 'links', stream: 'links', foreign_key: 'note_id', cardinality: 'has_many' },
    { name: 'backlinks', stream: 'links', foreign_key: 'target_id', cardinality: 'has_many' },
    { name: 'tasks', stream: 'tasks', foreign_key: 'note_id', cardinality: 'has_many' },
    { name: 'attachments', stream: 'attachments', foreign_key: 'note_id', cardinality: 'has_many' },
  ],
  query: {
    range_filters: { noted_at: COMPARE, created_at: COMPARE, updated_at: COMPARE },
    search: { lexical_fields: ['title', 'text', 'place', 'author', 'tags'] },
    aggregations: {
      count: true,
      count_distinct: ['folder', 'author'],
      group_by: ['folder', 'author', 'place', 'is_pinned', 'is_archived', 'is_deleted', 'is_locked'],
      group_by_time: ['noted_at'],
      min: ['noted_at'],
      max: ['noted_at'],
      sum: ['attachment_count'],
    },
    expand: [
      { name: 'links', default_limit: 10, max_limit: 50 },
      { name: 'backlinks', default_limit: 10, max_limit: 50 },
      { name: 'tasks', default_limit: 20, max_limit: 100 },
      { name: 'attachments', default_limit: 10, max_limit: 50 },
    ],
    group_field: 'folder',
  },
}

const links: StreamDeclaration = {
  name: 'links',
  description: 'Links of notes to other notes, to files and to pages of the web.',
  display: { label: 'Links', detail: 'Which note leads to which' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the note and of the link'),
      note_id: id('The note that has the link'),
      target_id: reference('The note that it leads to, if that is in the export'),
      target: text('Name, path or address that it leads to', 'primary-title'),
      label: text('Words of the link', 'secondary'),
      kind: id('note, file or web'),
      noted_at: time('When the note was written', 'event-time'),
    },
    required: ['id', 'note_id', 'kind'],
  },
  primary_key: ['id'],
  cursor_field: 'noted_at',
  consent_time_field: 'noted_at',
  relationships: [
    { name: 'note', stream: 'notes', foreign_key: 'note_id', cardinality: 'belongs_to' },
    { name: 'leads_to', stream: 'notes', foreign_key: 'target_id', cardinality: 'belongs_to' },
  ],
  query: {
    range_filters: { noted_at: COMPARE },
    search: { lexical_fields: ['target', 'label'] },
    aggregations: { count: true, count_distinct: ['target', 'note_id'], group_by: ['kind', 'target'] },
    group_field: 'note_id',
  },
}

const tasks: StreamDeclaration = {
  name: 'tasks',
  description: 'Things to do: ticked and open boxes of notes.',
  display: { label: 'Tasks', detail: 'What is to do, and whether it is done' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the note and of the task'),
      note_id: id('The note that it is in'),
      note: text('Title of the note'),
      text: text('What is to do', 'primary-title'),
      is_done: flag('Whether it is done'),
      due_at: time('When it is due'),
      noted_at: time('When the note was written', 'event-time'),
    },
    required: ['id', 'note_id', 'is_done'],
  },
  primary_key: ['id'],
  cursor_field: 'noted_at',
  consent_time_field: 'noted_at',
  relationships: [{ name: 'in', stream: 'notes', foreign_key: 'note_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { noted_at: COMPARE, due_at: COMPARE },
    search: { lexical_fields: ['text', 'note'] },
    aggregations: { count: true, group_by: ['is_done', 'note'], group_by_time: ['noted_at', 'due_at'] },
    group_field: 'note_id',
  },
}

const attachments: StreamDeclaration = {
  name: 'attachments',
  description: 'Files of notes: what they are, the files themselves, and their text.',
  display: { label: 'Attachments', detail: 'File names, types and sizes, the files, and the text in them' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the note and of the file'),
      note_id: reference('The note that it belongs to; empty if no note refers to the file'),
      filename: text('File name', 'primary-title'),
      media_type: text('Media type'),
      size_bytes: integer('Size of the file'),
      sha256: text('SHA-256 of the file, in hex'),
      is_missing: flag('Whether the export names the file without having it'),
      noted_at: time('When the note was written', 'event-time'),
      extracted_text: text('Text in the file', 'secondary'),
      blob_ref: blobSchema('The file itself', { x_pdpp_role: 'media', x_pdpp_text_field: 'extracted_text' }),
    },
    required: ['id', 'is_missing'],
  },
  primary_key: ['id'],
  cursor_field: 'noted_at',
  consent_time_field: 'noted_at',
  relationships: [{ name: 'note', stream: 'notes', foreign_key: 'note_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { noted_at: COMPARE, size_bytes: COMPARE },
    search: { lexical_fields: ['filename', 'extracted_text'] },
    aggregations: {
      count: true,
      count_distinct: ['note_id', 'sha256'],
      group_by: ['media_type', 'is_missing'],
      group_by_time: ['noted_at'],
      sum: ['size_bytes'],
    },
    group_field: 'note_id',
  },
}

/** A note-taking program. `more` are further streams. */
export const noteSource = (key: string, name: string, version = 1, more: StreamDeclaration[] = []): SourceDeclaration =>
  fixedSource(key, name, version, [notes, links, tasks, attachments, ...more])
