// The same shapes as in @pdpp/protocol, declared again so that this package has no dependencies.

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
  }
}

interface RawJson {
  readonly rawJSON: string
}

export type Comparison = 'gte' | 'gt' | 'lte' | 'lt'

export interface PropertySchema {
  type: string | string[]
  description?: string
  format?: string
  enum?: string[]
  items?: PropertySchema
  properties?: Record<string, PropertySchema>
  required?: string[]
  x_pdpp_type?: string
  x_pdpp_role?: string
  x_pdpp_text_field?: string
  x_pdpp_unit?: string
}

export interface StreamDeclaration {
  name: string
  description: string
  display: { label: string; detail?: string }
  semantics: 'append_only' | 'mutable_state'
  schema: { type: 'object'; properties: Record<string, PropertySchema>; required: string[] }
  primary_key: string[]
  cursor_field: string
  consent_time_field: string
  views: { id: string; label: string; fields: string[] }[]
  relationships?: {
    name: string
    stream: string
    foreign_key: string
    cardinality: 'has_many' | 'has_one' | 'belongs_to'
  }[]
  query: {
    range_filters: Record<string, Comparison[]>
    search?: { lexical_fields: string[] }
    aggregations: {
      count: true
      count_distinct?: string[]
      group_by?: string[]
      group_by_time?: string[]
      min?: string[]
      max?: string[]
      sum?: string[]
    }
    expand?: { name: string; default_limit: number; max_limit: number }[]
    group_field?: string
  }
}

export interface SourceDeclaration {
  protocol_version: '0.1.0'
  source: { kind: 'connector'; id: string }
  connector_key: string
  declaration_version: string
  display: { name: string }
  sensitivity: 'standard' | 'sensitive'
  streams: StreamDeclaration[]
}

export interface DemoConnection {
  connection_id: string
  connector_key: string
  display_name: string
}

export interface DemoRecord {
  connection_id: string
  stream: string
  key: string | string[]
  data: Record<string, unknown>
  emitted_at: string
  /** The bytes that `data.blob_ref` refers to. */
  file?: { mime_type: string; bytes: Uint8Array }
}

export interface Evidence {
  connection_id: string
  stream: string
  key: string | string[]
}

export interface Fact {
  question: string
  answer: string
  /** Words that a correct answer contains. They all occur in the evidence records. */
  key_words: string[]
  where: Evidence[]
}

export interface Storyline {
  title: string
  facts: Fact[]
}

export interface DemoOwner {
  name: string
  storylines: Storyline[]
}
