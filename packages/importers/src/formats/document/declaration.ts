import type { StreamDeclaration } from '@pdpp/protocol'
import { EXPANDS_PLACES, filePlaces, HAS_PLACES } from '../../models/file-places.ts'
import { COMPARE, fixedSource, id, integer, person, text, time } from '../../models/schema.ts'
import { blobSchema } from '../../reading/blob.ts'

const documents: StreamDeclaration = {
  name: 'documents',
  description: 'Documents: PDF, Word, OpenDocument, books and pages. Their text is in the sections.',
  display: { label: 'Documents', detail: 'Titles, authors and dates, and the files themselves' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the document, made from its content, and from its name where that is its title or date'),
      title: text('Title, or the name of the file', 'primary-title'),
      author: person('Who wrote it', 'actor'),
      media_type: text('Media type'),
      format: text('pdf, docx, odt, epub or html'),
      language: text('Language, where the document says so'),
      dated_at: time('When it was written: created, or last changed, or the day in its name', 'event-time'),
      created_at: time('When it was created'),
      modified_at: time('When it was last changed'),
      section_count: { type: 'integer', description: 'How many pages, chapters or sections have text' },
      beginning: text('The first words of its text', 'secondary'),
      size_bytes: integer('Size of the file'),
      sha256: text('SHA-256 of the file, in hex'),
      blob_ref: blobSchema('The file itself', { x_pdpp_role: 'media' }),
    },
    required: ['id', 'section_count'],
  },
  primary_key: ['id'],
  cursor_field: 'dated_at',
  consent_time_field: 'dated_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'title', 'author', 'format', 'dated_at'] }],
  relationships: [
    { name: 'sections', stream: 'sections', foreign_key: 'document_id', cardinality: 'has_many' },
    HAS_PLACES('document'),
  ],
  query: {
    range_filters: { dated_at: COMPARE, created_at: COMPARE, modified_at: COMPARE, size_bytes: COMPARE },
    search: { lexical_fields: ['title', 'author'] },
    aggregations: {
      count: true,
      count_distinct: ['author'],
      group_by: ['format', 'author', 'language'],
      group_by_time: ['dated_at'],
      min: ['dated_at'],
      max: ['dated_at'],
      sum: ['size_bytes', 'section_count'],
    },
    expand: [{ name: 'sections', default_limit: 10, max_limit: 50 }, EXPANDS_PLACES],
  },
}

const sections: StreamDeclaration = {
  name: 'sections',
  description: 'The text of documents: a page of a PDF, a chapter of a book, the part below a heading.',
  display: { label: 'Text of documents', detail: 'What is written on which page' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id('Id of the document and the position'),
      document_id: id('The document'),
      document: text('Title of the document', 'primary-title'),
      heading: text('Heading of the section'),
      position: { type: 'integer', description: 'Number of the page, chapter or section, from 1' },
      text: text('What it says', 'secondary'),
      dated_at: time('When the document was written', 'event-time'),
    },
    required: ['id', 'document_id', 'position'],
  },
  primary_key: ['id'],
  cursor_field: 'dated_at',
  consent_time_field: 'dated_at',
  views: [{ id: 'summary', label: 'Summary', fields: ['id', 'document', 'heading', 'position', 'dated_at'] }],
  relationships: [{ name: 'in', stream: 'documents', foreign_key: 'document_id', cardinality: 'belongs_to' }],
  query: {
    range_filters: { dated_at: COMPARE, position: COMPARE },
    search: { lexical_fields: ['text', 'heading', 'document'] },
    aggregations: {
      count: true,
      count_distinct: ['document_id'],
      group_by: ['document'],
      group_by_time: ['dated_at'],
    },
    group_field: 'document_id',
  },
}

export const documentDeclaration = fixedSource('documents', 'Documents', 2, [
  documents,
  sections,
  filePlaces('documents', 'document'),
])
