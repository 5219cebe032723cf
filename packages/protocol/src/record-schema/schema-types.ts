import { parseInstant } from '../text/instant.ts'
import type { SchemaCheck } from './schema-run.ts'
import { hasTwice, isLonger, isObject, isSame, isShorter } from './schema-values.ts'

/**
 * A keyword that looks at a single value. It takes its value in the schema and returns the check, or an error message
 * if the schema is invalid.
 */
type Keyword = (keywordValue: unknown) => SchemaCheck | string

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => typeof value === 'number' && Number.isInteger(value),
  array: Array.isArray,
  object: isObject,
}

const type: Keyword = (keywordValue) => {
  const names = Array.isArray(keywordValue) ? keywordValue : [keywordValue]
  if (names.length === 0 || !names.every((name) => typeof name === 'string' && Object.hasOwn(TYPES, name)))
    return `must be one or more of ${Object.keys(TYPES).join(', ')}`
  const tests = names.map((name: string) => TYPES[name]!)
  const message = `must be ${names.join(',')}`
  const [only] = tests
  if (tests.length === 1) return (value, run) => only!(value) || run.fail(message)
  return (value, run) => tests.some((test) => test(value)) || run.fail(message)
}

const choice: Keyword = (keywordValue) => {
  if (!Array.isArray(keywordValue) || keywordValue.length === 0) return 'must be a list with at least one value'
  const plain = new Set(keywordValue.filter((value) => typeof value !== 'object' || value === null))
  const nested = keywordValue.filter((value) => typeof value === 'object' && value !== null)
  return (value, run) =>
    plain.has(value) ||
    (typeof value === 'object' && value !== null && nested.some((one) => isSame(value, one, run))) ||
    run.fail('must be equal to one of the allowed values')
}

const constant: Keyword = (keywordValue) => (value, run) =>
  isSame(value, keywordValue, run) || run.fail('must be equal to constant')

function comparison(sign: string, holds: (value: number, limit: number) => boolean): Keyword {
  return (keywordValue) => {
    if (typeof keywordValue !== 'number') return 'must be a number'
    return (value, run) =>
      typeof value !== 'number' || holds(value, keywordValue) || run.fail(`must be ${sign} ${keywordValue}`)
  }
}

const multiple: Keyword = (keywordValue) => {
  if (typeof keywordValue !== 'number' || keywordValue <= 0) return 'must be a number above 0'
  return (value, run) =>
    typeof value !== 'number' ||
    Number.isInteger(value / keywordValue) ||
    run.fail(`must be multiple of ${keywordValue}`)
}

function count<T>(
  of: (value: unknown) => value is T,
  fits: (value: T, limit: number, run: Parameters<SchemaCheck>[1]) => boolean,
  message: (limit: number) => string,
): Keyword {
  return (keywordValue) => {
    if (typeof keywordValue !== 'number' || !Number.isInteger(keywordValue) || keywordValue < 0)
      return 'must be a whole number from 0'
    return (value, run) => !of(value) || fits(value, keywordValue, run) || run.fail(message(keywordValue))
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isList = (value: unknown): value is unknown[] => Array.isArray(value)

const unique: Keyword = (keywordValue) => {
  if (typeof keywordValue !== 'boolean') return 'must be true or false'
  return (value, run) =>
    !keywordValue || !isList(value) || !hasTwice(value, run) || run.fail('must NOT have duplicate items')
}

function names(keywordValue: unknown): keywordValue is string[] {
  return Array.isArray(keywordValue) && keywordValue.every(isText)
}

const required: Keyword = (keywordValue) => {
  if (!names(keywordValue)) return 'must be a list of names'
  return (value, run) => {
    if (!isObject(value)) return true
    run.step(keywordValue.length / 4)
    const missing = keywordValue.find((name) => !Object.hasOwn(value, name))
    return missing === undefined || run.fail(`must have required property '${missing}'`)
  }
}

const dependentRequired: Keyword = (keywordValue) => {
  if (!isObject(keywordValue) || !Object.values(keywordValue).every(names)) return 'must have lists of names'
  const needs = new Map(Object.entries(keywordValue as Record<string, string[]>))
  return (value, run) => {
    if (!isObject(value)) return true
    for (const name of Object.keys(value)) {
      const needed = needs.get(name) ?? []
      run.step((1 + needed.length) / 4)
      const missing = needed.find((other) => !Object.hasOwn(value, other))
      if (missing !== undefined) return run.fail(`must have property ${missing} when property ${name} is present`)
    }
    return true
  }
}

/**
 * The standard treats formats as annotations. These two are enforced, because the time limits of grants depend on them.
 */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => text.length > 10 && parseInstant(text) !== undefined,
  date: (text) => text.length === 10 && parseInstant(text) !== undefined,
}

const format: Keyword = (keywordValue) => {
  if (!isText(keywordValue)) return 'must be a text'
  const fits = Object.hasOwn(FORMATS, keywordValue) ? FORMATS[keywordValue]! : () => true
  return (value, run) => !isText(value) || fits(value) || run.fail(`must match format "${keywordValue}"`)
}

export const TYPE_KEYWORDS: Readonly<Record<string, Keyword>> = {
  type,
  enum: choice,
  const: constant,
  minimum: comparison('>=', (value, limit) => value >= limit),
  maximum: comparison('<=', (value, limit) => value <= limit),
  exclusiveMinimum: comparison('>', (value, limit) => value > limit),
  exclusiveMaximum: comparison('<', (value, limit) => value < limit),
  multipleOf: multiple,
  minLength: count(
    isText,
    (text, min, run) => !isShorter(text, min, run),
    (n) => `must NOT have fewer than ${n} characters`,
  ),
  maxLength: count(
    isText,
    (text, max, run) => !isLonger(text, max, run),
    (n) => `must NOT have more than ${n} characters`,
  ),
  minItems: count(
    isList,
    (list, min) => list.length >= min,
    (n) => `must NOT have fewer than ${n} items`,
  ),
  maxItems: count(
    isList,
    (list, max) => list.length <= max,
    (n) => `must NOT have more than ${n} items`,
  ),
  minProperties: count(
    isObject,
    (value, min) => Object.keys(value).length >= min,
    (n) => `must NOT have fewer than ${n} properties`,
  ),
  maxProperties: count(
    isObject,
    (value, max) => Object.keys(value).length <= max,
    (n) => `must NOT have more than ${n} properties`,
  ),
  uniqueItems: unique,
  required,
  dependentRequired,
  format,
}
