import type { Comparison, PropertySchema, SourceDeclaration, StreamDeclaration } from '../types.ts'

export const compare: Comparison[] = ['gte', 'gt', 'lte', 'lt']

const property = (type: string | string[], description: string, role?: string, kind?: string): PropertySchema => ({
  type,
  description,
  ...(kind ? { x_pdpp_type: kind } : {}),
  ...(role ? { x_pdpp_role: role } : {}),
})

export const text = (description: string, role?: string): PropertySchema =>
  property('string', description, role, 'text')
export const maybeText = (description: string, role?: string): PropertySchema =>
  property(['string', 'null'], description, role, 'text')
export const id = (description: string): PropertySchema => property('string', description)
export const person = (description: string, role?: string): PropertySchema =>
  property('string', description, role, 'person')
export const integer = (description: string): PropertySchema => property('integer', description)
export const cents = (description: string): PropertySchema => ({
  ...property('integer', description, 'amount', 'currency'),
  x_pdpp_unit: 'cents',
})
export const flag = (description: string): PropertySchema => property('boolean', description)
export const list = (description: string, kind?: string): PropertySchema => ({
  ...property('array', description, undefined, kind),
  items: { type: 'string' },
})
export const time = (description: string, role?: string): PropertySchema => ({
  ...property('string', description, role, 'timestamp'),
  format: 'date-time',
})
/** A reference to a blob. `textField` is the field with its extracted text. */
export const file = (description: string, textField: string): PropertySchema => ({
  ...property('object', description, 'media'),
  properties: {
    blob_id: { type: 'string' },
    sha256: { type: 'string' },
    size_bytes: { type: 'integer' },
    mime_type: { type: 'string' },
  },
  required: ['blob_id', 'sha256', 'size_bytes', 'mime_type'],
  x_pdpp_text_field: textField,
})

export const source = (
  key: string,
  name: string,
  sensitivity: SourceDeclaration['sensitivity'],
  streams: StreamDeclaration[],
): SourceDeclaration => ({
  protocol_version: '0.1.0',
  source: { kind: 'connector', id: `https://demo.pdpp.example/sources/${key}` },
  connector_key: key,
  declaration_version: '1',
  display: { name },
  sensitivity,
  streams,
})
