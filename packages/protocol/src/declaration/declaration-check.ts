import { PdppError } from '../errors/pdpp-error.ts'
import { isFieldName } from '../names.ts'
import { compileRecordSchema, uncheckedKeywords } from '../record-schema/record-schema.ts'
import {
  fromShippedManifest,
  type Relationship,
  type SourceDeclaration,
  type StreamDeclaration,
  sourceDeclarationSchema,
} from './declaration.ts'
import { boundedWarnings, type DeclarationWarning, smoothDeclaration } from './declaration-smoothing.ts'
import {
  declaredFields,
  type FieldKind,
  fieldKind,
  isOrdered,
  isScalar,
  isTime,
  resolveProperty,
  schemaTypes,
} from './field.ts'
import { isToParent } from './relationship.ts'

export interface DeclarationProblem {
  /** Path of the problem, such as `streams.2.query.range_filters.sent_at`. */
  readonly path: string
  readonly message: string
}

/** Collects all problems before it returns, so that the author can fix them in one round. */
export function checkDeclaration(input: unknown): AcceptedDeclaration | { problems: DeclarationProblem[] } {
  const { smoothed, warnings } = smoothDeclaration(fromShippedManifest(input))
  const parsed = sourceDeclarationSchema.safeParse(smoothed)
  if (!parsed.success) {
    return { problems: parsed.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message })) }
  }
  const problems = [...sourceProblems(parsed.data)]
  if (problems.length > 0) return { problems }
  return { declaration: parsed.data, warnings: boundedWarnings([...warnings, ...schemaWarnings(parsed.data)]) }
}

function schemaWarnings({ streams }: SourceDeclaration): DeclarationWarning[] {
  return streams.flatMap((stream, index) =>
    uncheckedKeywords(stream.schema).map(({ keyword, at }) => ({
      code: 'keyword_not_checked' as const,
      path: `streams.${index}.schema${at.replaceAll('/', '.')}`.slice(0, 300),
      message: `${keyword} is kept, and records are not checked against it`,
    })),
  )
}

export interface AcceptedDeclaration {
  readonly declaration: SourceDeclaration
  /** Reports every part of the declaration that was changed to make it readable. */
  readonly warnings: readonly DeclarationWarning[]
}

export function requireDeclaration(input: unknown): SourceDeclaration {
  return acceptDeclaration(input).declaration
}

/** Returns the corrected declaration with its warnings. Throws if it cannot be read safely. */
export function acceptDeclaration(input: unknown): AcceptedDeclaration {
  const result = checkDeclaration(input)
  if ('declaration' in result) return result
  const listed = result.problems.slice(0, 20).map(({ path, message }) => `${path || '(top level)'}: ${message}`)
  const more = result.problems.length > listed.length ? ` (and ${result.problems.length - listed.length} more)` : ''
  throw new PdppError('connector_invalid', `The declaration has mistakes. ${listed.join('; ')}${more}.`, {
    param: result.problems[0]?.path || 'body',
  })
}

/**
 * Max. fields and max. indexed fields of all streams. Each field becomes a column, and creating indexes blocks the
 * store.
 */
const MAX_FIELDS = 10_000
const MAX_INDEXED = 4_000

function* sourceProblems(source: SourceDeclaration): Iterable<DeclarationProblem> {
  yield* duplicates(
    source.streams.map((stream) => stream.name),
    'streams',
  )
  yield* duplicates(
    (source.selection_presets ?? []).map((preset) => preset.id),
    'selection_presets',
  )
  const fields = source.streams.reduce((sum, stream) => sum + declaredFields(stream).size, 0)
  if (fields > MAX_FIELDS)
    return yield { path: 'streams', message: `at most ${MAX_FIELDS} fields in all, not ${fields}` }
  const indexed = source.streams.reduce((sum, stream) => sum + indexedNames(stream).size, 0)
  if (indexed > MAX_INDEXED)
    return yield {
      path: 'streams',
      message: `at most ${MAX_INDEXED} fields in range_filters and groups in all, not ${indexed}`,
    }
  for (const [index, stream] of source.streams.entries()) {
    yield* streamProblems(stream, source, `streams.${index}`)
  }
  for (const [index, preset] of (source.selection_presets ?? []).entries()) {
    for (const [at, chosen] of preset.streams.entries()) {
      yield* presetProblems(chosen, source, `selection_presets.${index}.streams.${at}`)
    }
  }
}

/** Fields with range filters or groups. A store keeps an index for each. */
export function indexedNames({ query = {} }: Pick<StreamDeclaration, 'query'>): Set<string> {
  const { range_filters: ranges = {}, aggregations: { group_by: values = [], group_by_time: times = [] } = {} } = query
  return new Set([...Object.keys(ranges), ...values, ...times])
}

function* presetProblems(
  chosen: { name: string; fields?: string[] | undefined; view?: string | undefined },
  source: SourceDeclaration,
  path: string,
): Iterable<DeclarationProblem> {
  const stream = source.streams.find((candidate) => candidate.name === chosen.name)
  if (!stream) return yield { path: `${path}.name`, message: `no stream is called "${chosen.name}"` }
  if (chosen.fields && chosen.view) yield { path, message: 'give fields or a view, not both' }
  if (chosen.view !== undefined && !stream.views?.some((view) => view.id === chosen.view)) {
    yield { path: `${path}.view`, message: `"${chosen.name}" has no view "${chosen.view}"` }
  }
  yield* unknownFields(chosen.fields ?? [], declaredFields(stream), `${path}.fields`)
}

function* streamProblems(
  stream: StreamDeclaration,
  source: SourceDeclaration,
  path: string,
): Iterable<DeclarationProblem> {
  const problem = compileRecordSchema(stream.schema)
  if (typeof problem === 'string') return yield { path: `${path}.schema`, message: problem }
  const kinds = declaredFields(stream)
  if (kinds.size === 0) yield { path: `${path}.schema.properties`, message: 'declare at least one field' }
  if (kinds.size > 500) yield { path: `${path}.schema.properties`, message: 'at most 500 fields' }
  for (const name of kinds.keys()) {
    if (!isFieldName(name))
      yield { path: `${path}.schema.properties`, message: `"${name.slice(0, 80)}" cannot be a field name` }
  }
  yield* needs(stream.primary_key, kinds, isScalar, 'must be a single-valued field', `${path}.primary_key`)
  yield* duplicates(stream.primary_key, `${path}.primary_key`)
  yield* needs(one(stream.cursor_field), kinds, isScalar, 'must be a single-valued field', `${path}.cursor_field`)
  yield* needs(
    one(stream.consent_time_field),
    kinds,
    isTime,
    'must be a date-time or date field',
    `${path}.consent_time_field`,
  )
  yield* duplicates(
    (stream.views ?? []).map((view) => view.id),
    `${path}.views`,
  )
  for (const [at, view] of (stream.views ?? []).entries())
    yield* unknownFields(view.fields, kinds, `${path}.views.${at}.fields`)
  yield* relationshipProblems(stream, source, path)
  yield* queryProblems(stream, kinds, `${path}.query`)
}

function* relationshipProblems(
  stream: StreamDeclaration,
  source: SourceDeclaration,
  path: string,
): Iterable<DeclarationProblem> {
  const relationships = stream.relationships ?? []
  yield* duplicates(
    relationships.map((relation) => relation.name),
    `${path}.relationships`,
  )
  for (const [index, relation] of relationships.entries()) {
    const at = `${path}.relationships.${index}`
    const other = source.streams.find((candidate) => candidate.name === relation.stream)
    if (!other) yield { path: `${at}.stream`, message: `no stream is called "${relation.stream}"` }
    else yield* foreignKeyProblems(relation, stream, other, `${at}.foreign_key`)
  }
  for (const [index, expand] of (stream.query?.expand ?? []).entries()) {
    const at = `${path}.query.expand.${index}`
    if (!relationships.some((relation) => relation.name === expand.name)) {
      yield { path: `${at}.name`, message: `no relationship is called "${expand.name}"` }
    }
    if (expand.default_limit && expand.max_limit && expand.default_limit > expand.max_limit) {
      yield { path: `${at}.default_limit`, message: 'must not exceed max_limit' }
    }
  }
}

function* foreignKeyProblems(
  relation: Relationship,
  own: StreamDeclaration,
  other: StreamDeclaration,
  path: string,
): Iterable<DeclarationProblem> {
  const { foreign_key: name } = relation
  const child = isToParent(relation) ? own : other
  // A child may name a parent with a compound key by a list. The opposite direction needs a single-valued field,
  // because children are looked up by it.
  if (isToParent(relation) && other.primary_key.length > 1 && isList(own, name)) return
  yield* needs([name], declaredFields(child), isScalar, `must be a single-valued field of "${child.name}"`, path)
  if (child === other && !declaredFields(other).has(name) && declaredFields(own).has(name)) {
    yield { path, message: `"${name}" is a field of this stream: say cardinality "belongs_to"` }
  }
}

/** A list of texts, such as labels or the people in an appointment, is searched like one text. */
function isTextList(stream: StreamDeclaration, name: string): boolean {
  if (!isList(stream, name)) return false
  const { schema } = stream
  const items = resolveProperty((schema['properties'] as Record<string, unknown>)[name], schema)?.['items']
  return items !== undefined && fieldKind(items, schema) === 'string'
}

function isList({ schema }: StreamDeclaration, name: string): boolean {
  const property = resolveProperty((schema['properties'] as Record<string, unknown>)[name], schema)
  return property !== undefined && schemaTypes(property).join() === 'array'
}

function* queryProblems(
  stream: StreamDeclaration,
  kinds: ReadonlyMap<string, FieldKind>,
  path: string,
): Iterable<DeclarationProblem> {
  const query = stream.query
  if (!query) return
  const { aggregations = {}, search = {} } = query
  const ordered = 'must be a number, date or date-time field'
  yield* needs(Object.keys(query.range_filters ?? {}), kinds, isOrdered, ordered, `${path}.range_filters`)
  const single = search.lexical_fields?.filter((name) => !isTextList(stream, name))
  yield* needs(single, kinds, isText, 'must be a text field or a list of texts', `${path}.search.lexical_fields`)
  yield* needs(search.semantic_fields, kinds, isText, 'must be a text field', `${path}.search.semantic_fields`)
  yield* needs(one(query.group_field), kinds, isScalar, 'must be a single-valued field', `${path}.group_field`)
  for (const metric of ['count_distinct', 'group_by'] as const) {
    yield* needs(
      aggregations[metric],
      kinds,
      isScalar,
      'must be a single-valued field',
      `${path}.aggregations.${metric}`,
    )
  }
  for (const metric of ['min', 'max'] as const) {
    yield* needs(aggregations[metric], kinds, isOrdered, ordered, `${path}.aggregations.${metric}`)
  }
  for (const metric of ['sum', 'avg'] as const) {
    yield* needs(aggregations[metric], kinds, isNumeric, 'must be a number field', `${path}.aggregations.${metric}`)
  }
  yield* needs(
    aggregations.group_by_time,
    kinds,
    isTime,
    'must be a date-time or date field',
    `${path}.aggregations.group_by_time`,
  )
}

const isText = (kind: FieldKind) => kind === 'string'
const isNumeric = (kind: FieldKind) => kind === 'integer' || kind === 'number'
const one = (name: string | null | undefined): string[] => (name == null ? [] : [name])

function* needs(
  names: readonly string[] | undefined,
  kinds: ReadonlyMap<string, FieldKind>,
  accepts: (kind: FieldKind) => boolean,
  message: string,
  path: string,
): Iterable<DeclarationProblem> {
  for (const name of names ?? []) {
    const kind = kinds.get(name)
    if (kind === undefined) yield { path, message: `"${name}" is not a declared field` }
    else if (!accepts(kind)) yield { path, message: `"${name}" ${message}, but it is ${kind}` }
  }
}

function* unknownFields(
  names: readonly string[],
  kinds: ReadonlyMap<string, FieldKind>,
  path: string,
): Iterable<DeclarationProblem> {
  yield* needs(names, kinds, () => true, '', path)
}

function* duplicates(names: readonly string[], path: string): Iterable<DeclarationProblem> {
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index))
  for (const name of repeated) yield { path, message: `"${name}" is listed twice` }
}
