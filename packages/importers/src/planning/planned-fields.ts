import { declaredFields, type StreamDeclaration } from '@pdpp/protocol'
import type { PlannedField } from '../importer.ts'

/** Words for the types of fields in a plan. */
const KIND_WORDS: Record<string, string> = {
  string: 'text',
  'date-time': 'date and time',
  integer: 'whole number',
  boolean: 'yes or no',
  binary: 'bytes',
}

export function describeFields(stream: StreamDeclaration, filled: ReadonlyMap<string, number>): PlannedField[] {
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  return [...declaredFields(stream)].map(([name, kind]) => ({
    name,
    type: KIND_WORDS[kind] ?? kind,
    uses: usesOf(stream, name, Object.hasOwn(properties, name) ? properties[name]! : {}),
    filled: filled.get(name) ?? 0,
  }))
}

function usesOf(stream: StreamDeclaration, name: string, property: Record<string, unknown>): string[] {
  const role = property['x_pdpp_role']
  return [
    stream.primary_key.includes(name) ? 'key' : '',
    stream.consent_time_field === name ? 'time' : '',
    role === 'primary-title' ? 'title' : '',
    role === 'actor' ? 'who' : '',
    stream.query?.group_field === name ? 'conversation' : '',
    stream.query?.search?.lexical_fields?.includes(name) ? 'searched' : '',
    stream.query?.aggregations?.group_by?.includes(name) ? 'countable' : '',
    stream.query?.aggregations?.sum?.includes(name) ? 'summable' : '',
  ].filter((use) => use !== '')
}
