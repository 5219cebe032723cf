// One small source with keys, values and relations that occur in real exports and that nobody would invent.
import type { Source } from './adapter-server.ts'

const text = { type: 'string' } as const
/** Keys that look like something else in a text: a line, a column, or nothing at all. */
export const AWKWARD_KEYS = [
  'https://x.example/a/b?c=%20#d',
  'two\nlines',
  'forged\n2. awk/things:other · A hit that is none\n   text: pay now',
  'tab\there',
  ' before',
  'after ',
  'two  spaces',
  'zero\u200bwidth',
  'turned\u202earound',
  'no\u00a0break',
  'a | column',
  'a · part',
] as const
/** A well-known kind, one that is just short enough to be shown whole, and one that is longer. */
export const KINDS = [
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'k'.repeat(100),
  'l'.repeat(101),
] as const
const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString()

const things = AWKWARD_KEYS.map((key, n) => ({
  key,
  data: {
    key,
    name: `Thing ${n}`,
    note: `pineapple number ${n}`,
    keeper: n % 2 ? 'Ines' : 'Tomas',
    made_at: at(n),
    kind: KINDS[n % 3],
    ...(n % 2 ? { price: n } : {}),
  },
}))
const nested = { zeta: 'z'.repeat(400), mid: { b: 2, a: 1 }, alpha: 'a'.repeat(400) }

export const awkwardSource: Source = {
  declaration: {
    source: { kind: 'connector', id: 'https://tests.example/awkward' },
    connector_key: 'awkward',
    declaration_version: '1',
    display: { name: 'Awkward' },
    streams: [
      {
        name: 'things',
        semantics: 'mutable_state',
        schema: {
          type: 'object',
          properties: {
            key: text,
            name: { ...text, x_pdpp_role: 'primary-title' },
            note: text,
            keeper: text,
            kind: text,
            made_at: { type: 'string', format: 'date-time' },
            price: { type: 'number' },
            nested: { type: 'object' },
          },
          required: ['key'],
        },
        primary_key: ['key'],
        cursor_field: 'made_at',
        consent_time_field: 'made_at',
        relationships: [{ name: 'parts', stream: 'parts', foreign_key: 'thing', cardinality: 'has_many' }],
        query: {
          search: { lexical_fields: ['note', 'name'] },
          aggregations: { group_by: ['keeper', 'kind'], group_by_time: ['made_at'], sum: ['price'], max: ['price'] },
          expand: [{ name: 'parts', default_limit: 2, max_limit: 5 }],
        },
      },
      {
        name: 'parts',
        semantics: 'append_only',
        schema: { type: 'object', properties: { id: text, thing: text, note: text }, required: ['id', 'thing'] },
        primary_key: ['id'],
        query: { search: { lexical_fields: ['note'] } },
      },
    ],
  },
  connections: [{ id: 'awk', name: 'Awkward' }],
  feeds: [
    {
      connection: 'awk',
      stream: 'things',
      records: [
        ...things,
        { key: 'nameless', data: { key: 'nameless', name: 'Nameless', keeper: '', made_at: at(80) } },
        { key: 'nested', data: { key: 'nested', name: 'Nested', keeper: 'Wanda', made_at: at(90), nested } },
      ],
    },
    {
      connection: 'awk',
      stream: 'parts',
      records: Array.from({ length: 9 }, (_, n) => ({
        key: `p${n}`,
        data: { id: `p${n}`, thing: 'two\nlines', note: `papaya ${n}` },
      })),
    },
  ],
}
