import type { StreamDeclaration } from '@pdpp/protocol'
import { noteSource } from '../../models/note/declaration.ts'
import { COMPARE, id, reference, text, time } from '../../models/schema.ts'

const rows: StreamDeclaration = {
  name: 'rows',
  description: 'Rows of databases.',
  display: { label: 'Rows of databases', detail: 'What the databases of the workspace contain' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the database and the name of the row'),
      database_id: id('The database'),
      database: text('Name of the database'),
      note_id: reference('The page of the row, if the export has it'),
      title: text('Name of the row', 'primary-title'),
      text: text('All cells, one line for each', 'secondary'),
      noted_at: time('A date of the row', 'event-time'),
      cells: { description: 'The cells by the names of their columns', type: ['object', 'null'] },
    },
    required: ['id', 'database_id'],
  },
  primary_key: ['id'],
  cursor_field: 'noted_at',
  consent_time_field: 'noted_at',
  relationships: [{ name: 'page', stream: 'notes', foreign_key: 'note_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { noted_at: COMPARE },
    search: { lexical_fields: ['title', 'text', 'database'] },
    aggregations: {
      count: true,
      count_distinct: ['database_id'],
      group_by: ['database'],
      group_by_time: ['noted_at'],
    },
    group_field: 'database_id',
  },
}

/** Pages are notes. A page that is a row of a database is related to that row. */
export const notionDeclaration = (() => {
  const source = noteSource('notion', 'Notion', 1, [rows])
  const row = { name: 'rows', stream: 'rows', foreign_key: 'note_id', cardinality: 'has_many' as const }
  const streams = source.streams.map((stream) =>
    stream.name === 'notes' ? { ...stream, relationships: [...(stream.relationships ?? []), row] } : stream,
  )
  return { ...source, streams }
})()
