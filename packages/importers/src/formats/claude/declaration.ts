import type { StreamDeclaration } from '@pdpp/protocol'
import { conversationSource } from '../../models/conversation/declaration.ts'
import { COMPARE, id, reference, text, time } from '../../models/schema.ts'

const projects: StreamDeclaration = {
  name: 'projects',
  description: 'Projects, with the instructions that Claude gets in them.',
  display: { label: 'Projects', detail: 'Names, descriptions and instructions' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the project'),
      name: text('Name', 'primary-title'),
      description: text('What it is about', 'secondary'),
      instructions: text('What Claude is told in it'),
      memory: text('What Claude remembers of it'),
      created_at: time('When it was made'),
      updated_at: time('When it was last changed', 'event-time'),
    },
    required: ['id'],
  },
  primary_key: ['id'],
  cursor_field: 'updated_at',
  consent_time_field: 'updated_at',
  relationships: [{ name: 'documents', stream: 'documents', foreign_key: 'project_id', cardinality: 'has_many' }],
  query: {
    range_filters: { created_at: COMPARE, updated_at: COMPARE },
    search: { lexical_fields: ['name', 'description', 'instructions', 'memory'] },
    aggregations: { count: true },
    expand: [{ name: 'documents', default_limit: 10, max_limit: 50 }],
  },
}

const documents: StreamDeclaration = {
  name: 'documents',
  description: 'Documents that were added to projects, with their text.',
  display: { label: 'Documents', detail: 'File names and full texts' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the document'),
      project_id: reference('The project'),
      filename: text('File name', 'primary-title'),
      text: text('What it says', 'secondary'),
      created_at: time('When it was added', 'event-time'),
    },
    required: ['id'],
  },
  primary_key: ['id'],
  cursor_field: 'created_at',
  consent_time_field: 'created_at',
  relationships: [{ name: 'project', stream: 'projects', foreign_key: 'project_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { created_at: COMPARE },
    search: { lexical_fields: ['filename', 'text'] },
    aggregations: { count: true, group_by: ['project_id'] },
    group_field: 'project_id',
  },
}

const memories: StreamDeclaration = {
  name: 'memories',
  description: 'What Claude remembers from conversations.',
  display: { label: 'Memory' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: { id: id('Id of the memory'), text: text('What Claude remembers', 'primary-title') },
    required: ['id'],
  },
  primary_key: ['id'],
  query: { search: { lexical_fields: ['text'] }, aggregations: { count: true } },
}

export const claudeDeclaration = conversationSource('claude', 'Claude', 1, [projects, documents, memories])
