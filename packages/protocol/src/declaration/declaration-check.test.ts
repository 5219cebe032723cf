import { describe, expect, test } from 'vitest'
import { checkDeclaration, requireDeclaration } from './declaration-check.ts'
import { declaredFields } from './field.ts'

const schema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    sent_at: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    text: { type: 'string' },
    size: { type: 'integer' },
    read: { type: 'boolean' },
    parts: { type: 'array' },
    thread_id: { type: 'string' },
  },
  required: ['id'],
}

/** Uses every member that a declaration can have. Each mistake below is one change to it. */
function valid() {
  return {
    protocol_version: '0.1.0',
    source: { kind: 'connector', id: 'https://registry.example/mail' },
    connector_key: 'mail',
    declaration_version: '7',
    publisher: { id: 'https://registry.example' },
    display: { name: 'Mail' },
    sensitivity: 'sensitive',
    selection_presets: [
      { id: 'basic', label: 'Basic', streams: [{ name: 'messages', view: 'headers' }, { name: 'threads' }] },
    ],
    extensions: { 'https://x.example/ext': { any: 'thing' } },
    streams: [
      {
        name: 'messages',
        description: 'Mail',
        display: { label: 'Messages', detail: 'All of them' },
        semantics: 'mutable_state',
        schema,
        primary_key: ['id'],
        cursor_field: 'sent_at',
        consent_time_field: 'sent_at',
        selection: { fields: true, resources: true },
        sensitivity: 'standard',
        views: [{ id: 'headers', label: 'Headers', fields: ['id', 'sent_at'] }],
        query: {
          range_filters: { sent_at: ['gte', 'lt'], size: ['gt', 'lte'] },
          search: { lexical_fields: ['text'], semantic_fields: ['text'] },
          aggregations: {
            count: true,
            count_distinct: ['read'],
            group_by: ['thread_id'],
            group_by_time: ['sent_at', 'day'],
            min: ['size'],
            max: ['sent_at'],
            sum: ['size'],
            avg: ['size'],
          },
          group_field: 'thread_id',
        },
      },
      {
        name: 'threads',
        semantics: 'append_only',
        schema: { type: 'object', properties: { id: { type: 'string' } } },
        primary_key: ['id'],
        relationships: [{ name: 'messages', stream: 'messages', foreign_key: 'thread_id', cardinality: 'has_many' }],
        query: { expand: [{ name: 'messages', default_limit: 5, max_limit: 50 }] },
      },
    ],
  }
}

type Draft = Record<string, unknown>

/** Sets other values at some paths; undefined removes a member. */
function withChanges(changes: Record<string, unknown>): Draft {
  const draft = structuredClone(valid()) as unknown as Draft
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split('.')
    const last = names.pop()!
    const parent = names.reduce((at, name) => at[name] as Draft, draft)
    parent[last] = value
  }
  return draft
}

function mistakesOf(changes: Record<string, unknown>): { path: string; message: string }[] {
  const result = checkDeclaration(withChanges(changes))
  return 'problems' in result ? result.problems : []
}

test('a correct declaration is accepted unchanged', () => {
  expect(checkDeclaration(valid())).toEqual({ declaration: valid(), warnings: [] })
  expect(requireDeclaration(valid())).toEqual(valid())
})

describe('a mistake is reported with its path', () => {
  test.each<[string, unknown, RegExp]>([
    ['display.name', undefined, /expected string/],
    ['protocol_version', '9.0.0', /0\.1\.0/],
    ['source.id', 'mail', /URL/],
    ['connector_key', 'a/b', /1 to 100 of/],
    ['streams.1.name', '..', /without "\.\."/],
    ['streams', [], />=1/],
    ['streams.0.semantics', 'magic', /append_only/],
    ['streams.0.schema', [], /must be a JSON Schema object/],
    ['streams.1.schema', { type: 'x' }, /not a usable JSON Schema/],
    ['streams.1.schema', { $ref: 'https://x.example/' }, /resolve reference/],
    ['streams.0.primary_key', [], />=1/],
    ['streams.0.primary_key', ['uid'], /^"uid" is not a declared field$/],
    ['streams.0.primary_key', ['parts'], /^"parts" must be a single-valued field, but it is json$/],
    ['streams.0.primary_key', ['id', 'id'], /^"id" is listed twice$/],
    ['streams.0.cursor_field', 'when', /"when" is not/],
    ['streams.0.consent_time_field', 'text', /^"text" must be a date-time or date field, but it is string$/],
    ['streams.0.views.0.fields', ['id', 'gone'], /"gone" is not/],
    ['streams.1.relationships.0.stream', 'x', /no stream is called "x"/],
    ['streams.1.relationships.0.foreign_key', 'parent', /"parent" is not/],
    ['streams.1.relationships.0.foreign_key', 'parts', /single-valued field of "messages", but it is json/],
    ['streams.1.query.expand.0.name', 'x', /no relationship is called "x"/],
    ['streams.1.query.expand.0.default_limit', 51, /must not exceed max_limit/],
    ['streams.1.query.expand.0.max_limit', 0, />=1/],
    ['streams.0.query.range_filters.size.0', 'like', /gte/],
    [
      'streams.0.query.search.lexical_fields',
      ['size'],
      /^"size" must be a text field or a list of texts, but it is integer$/,
    ],
    [
      'streams.0.query.search.lexical_fields',
      ['parts'],
      /^"parts" must be a text field or a list of texts, but it is json$/,
    ],
    ['streams.0.query.search.semantic_fields', ['day'], /^"day" must be a text field, but it is date$/],
    ['streams.0.query.aggregations.group_by', ['parts'], /single-valued/],
    ['streams.0.query.aggregations.count_distinct', ['parts'], /single-valued/],
    ['streams.0.query.aggregations.sum', ['text'], /must be a number field, but it is string/],
    ['streams.0.query.aggregations.avg', ['day'], /must be a number field, but it is date/],
    ['streams.0.query.aggregations.min', ['read'], /must be a number, date or date-time field/],
    ['streams.0.query.aggregations.max', ['text'], /must be a number, date or date-time field/],
    ['streams.0.query.aggregations.group_by_time', ['size'], /must be a date-time or date field/],
    ['streams.0.query.group_field', 'parts', /single-valued/],
    ['selection_presets.0.streams.1.name', 'x', /no stream is called "x"/],
    ['selection_presets.0.streams.1.view', 'all', /"threads" has no view "all"/],
    ['selection_presets.0.streams.1.fields', ['x'], /"x" is not a declared field/],
  ])('%s: %j', (path, value, message) => {
    expect(mistakesOf({ [path]: value })).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  const [messages, threads] = valid().streams
  test.each<[string, string, unknown, RegExp]>([
    ['streams', 'streams.2', threads, /^"threads" is listed twice$/],
    ['selection_presets', 'selection_presets.1', valid().selection_presets[0], /^"basic" is listed twice$/],
    ['streams.0.views', 'streams.0.views.1', messages!.views![0], /^"headers" is listed twice$/],
    [
      'streams.1.relationships',
      'streams.1.relationships.1',
      threads!.relationships![0],
      /^"messages" is listed twice$/,
    ],
    ['selection_presets.0.streams.0', 'selection_presets.0.streams.0.fields', ['id'], /not both/],
    ['streams.0.query', 'streams.0.query.rangefilters', {}, /^Unrecognized key: "rangefilters"$/],
    ['streams.0.query.aggregations', 'streams.0.query.aggregations.median', ['size'], /^Unrecognized key: "median"$/],
    ['streams.0.query.search', 'streams.0.query.search.fields', ['text'], /^Unrecognized key: "fields"$/],
    ['streams.0.query.range_filters', 'streams.0.query.range_filters.text', ['gt'], /"text" must be a number, date/],
    ['streams.1.schema.properties', 'streams.1.schema.properties.a[b', {}, /^"a\[b" cannot be a field name$/],
  ])('%s, caused by %s', (path, change, value, message) => {
    expect(mistakesOf({ [change]: value })).toEqual([{ path, message: expect.stringMatching(message) }])
  })

  test('a stream has 1 to 500 fields', () => {
    const properties = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [index ? `f${index}` : 'id', { type: 'string' }]))
    const path = 'streams.1.schema.properties'
    expect(mistakesOf({ [path]: properties(500) })).toEqual([])
    expect(mistakesOf({ [path]: properties(501) })).toEqual([{ path, message: 'at most 500 fields' }])
    expect(mistakesOf({ [path]: {} })).toContainEqual({ path, message: 'declare at least one field' })
  })
})

describe('several problems', () => {
  const changes = {
    'streams.0.primary_key': ['uid'],
    'streams.0.query.aggregations.sum': ['text', 'nothing'],
    'streams.1.relationships.0.stream': 'x',
    'selection_presets.0.streams.1.name': 'y',
  }

  test('are all reported together', () => {
    expect(mistakesOf(changes).map(({ path }) => path)).toEqual([
      'streams.0.primary_key',
      'streams.0.query.aggregations.sum',
      'streams.0.query.aggregations.sum',
      'streams.1.relationships.0.stream',
      'selection_presets.0.streams.1.name',
    ])
  })

  test('become one error whose param is the first path', () => {
    expect(() => requireDeclaration(withChanges(changes))).toThrow(
      expect.objectContaining({
        code: 'connector_invalid',
        detail: { param: 'streams.0.primary_key' },
        message: expect.stringMatching(
          /^The declaration has mistakes\. streams\.0\.primary_key: .*; streams\.1\.relationships\.0\.stream: .*\.$/,
        ),
      }),
    )
  })

  test('are cut to twenty, with the number of others', () => {
    const fields = Array.from({ length: 33 }, (_, index) => `gone${index}`)
    const draft = withChanges({ 'streams.0.views.0.fields': fields })
    expect(() => requireDeclaration(draft)).toThrow(/gone19" is not a declared field \(and 13 more\)\.$/)
  })
})

test.each([null, undefined, 5, 'mail', [], {}, { source: null }, { streams: {} }])(
  '%j is not a declaration',
  (input) => {
    expect(() => requireDeclaration(input)).toThrow(expect.objectContaining({ code: 'connector_invalid' }))
  },
)

test('declared fields are the top-level properties, in their order', () => {
  expect([...declaredFields({ schema })].slice(0, 3)).toEqual([
    ['id', 'string'],
    ['sent_at', 'date-time'],
    ['day', 'date'],
  ])
  expect(declaredFields({ schema: { properties: null } }).size).toBe(0)
  expect(declaredFields({ schema: {} }).has('constructor')).toBe(false)
})
