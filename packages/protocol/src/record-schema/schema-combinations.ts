import { type SchemaCompiler, SchemaFault } from './schema-compile.ts'
import type { SchemaCheck, SchemaRun } from './schema-run.ts'
import { isObject } from './schema-values.ts'

type Members = Record<string, unknown>

/** Compiles keywords that contain schemas, and notes keywords that are not evaluated. */
export function combinations(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const unchecked = NOT_EVALUATED.filter((name) => Object.hasOwn(schema, name))
  for (const name of unchecked) compiler.note(name, at)
  for (const name of ['$defs', 'definitions']) partsOf(schema, name, at, compiler)
  return [
    ...referenced(schema, at, compiler),
    ...members(schema, at, compiler),
    ...dependents(schema, at, compiler),
    ...items(schema, at, compiler),
    ...containing(schema, at, compiler),
    ...joined(schema, at, compiler),
    ...conditional(schema, at, compiler),
    ...(unchecked.length === 0 ? [] : [countDoubt]),
  ]
}

/** Counts a value that fits except for a keyword that was not evaluated. */
function countDoubt(_value: unknown, run: SchemaRun): true {
  run.doubts++
  return true
}

/**
 * A foreign regular expression can run for ever, and nothing here depends on patterns. The unevaluated* keywords would
 * need to know what every other keyword has examined.
 */
const NOT_EVALUATED = ['pattern', 'patternProperties', '$dynamicRef', 'unevaluatedProperties', 'unevaluatedItems']

function partsOf(schema: Members, name: string, at: string, compiler: SchemaCompiler): [string, SchemaCheck][] {
  const keywordValue = schema[name]
  if (keywordValue === undefined) return []
  if (!isObject(keywordValue)) throw new SchemaFault(`schema is invalid: ${at}/${name} must be object`)
  return Object.entries(keywordValue).map(([key, part]) => [key, compiler.part(part, `${at}/${name}/${key}`)])
}

function listOf(schema: Members, name: string, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const keywordValue = schema[name]
  if (keywordValue === undefined) return []
  if (!Array.isArray(keywordValue) || keywordValue.length === 0)
    throw new SchemaFault(`schema is invalid: ${at}/${name} must be a list`)
  return keywordValue.map((part, index) => compiler.part(part, `${at}/${name}/${index}`))
}

function partOf(schema: Members, name: string, at: string, compiler: SchemaCompiler): SchemaCheck | undefined {
  return Object.hasOwn(schema, name) ? compiler.part(schema[name], `${at}/${name}`) : undefined
}

function referenced(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const ref = schema['$ref']
  if (ref === undefined) return []
  if (typeof ref !== 'string') throw new SchemaFault(`schema is invalid: ${at}/$ref must be string`)
  return [compiler.reference(ref, at)]
}

/** Loops over the members of the record, not of the schema, so that the cost depends on the record. */
function members(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const properties = new Map(partsOf(schema, 'properties', at, compiler))
  const otherMembers = partOf(schema, 'additionalProperties', at, compiler)
  // Patterns are not evaluated, so any other name might match one and must not be refused.
  const additional = Object.hasOwn(schema, 'patternProperties') ? undefined : otherMembers
  const named = partOf(schema, 'propertyNames', at, compiler)
  if (properties.size === 0 && !additional && !named) return []
  return [
    (value, run) => {
      if (!isObject(value)) return true
      for (const name of Object.keys(value)) {
        run.step(0.25)
        if (named && !named(name, run)) return run.fail('property name must be valid')
        const check = properties.get(name)
        if (!check && schema['additionalProperties'] === false && additional)
          return run.fail('must NOT have additional properties')
        if (check ? !check(value[name], run) : additional && !additional(value[name], run)) return inside(name, run)
      }
      return true
    },
  ]
}

function inside(name: string | number, run: SchemaRun): false {
  run.path.push(name)
  return false
}

function dependents(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const parts = new Map(partsOf(schema, 'dependentSchemas', at, compiler))
  if (parts.size === 0) return []
  return [
    (value, run) => {
      if (!isObject(value)) return true
      const names = Object.keys(value)
      run.step(names.length / 4)
      return names.every((name) => parts.get(name)?.(value, run) ?? true)
    },
  ]
}

function items(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const first = listOf(schema, 'prefixItems', at, compiler)
  const rest = partOf(schema, 'items', at, compiler)
  if (first.length === 0 && !rest) return []
  return [
    (value, run) => {
      if (!Array.isArray(value)) return true
      const end = rest ? value.length : Math.min(value.length, first.length)
      for (let index = 0; index < end; index++) {
        const check = first[index] ?? rest!
        if (!check(value[index], run)) return inside(index, run)
      }
      return true
    },
  ]
}

function containing(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const check = partOf(schema, 'contains', at, compiler)
  const limit = (name: string, instead: number): number => {
    const keywordValue = schema[name] ?? instead
    if (typeof keywordValue !== 'number' || keywordValue < 0)
      throw new SchemaFault(`schema is invalid: ${at}/${name} must be a whole number from 0`)
    return keywordValue
  }
  const [min, max] = [limit('minContains', 1), limit('maxContains', Number.POSITIVE_INFINITY)]
  if (!check) return []
  return [
    (value, run) => {
      if (!Array.isArray(value)) return true
      let [count, certain] = [0, 0]
      for (const item of value) {
        const { doubts } = run
        if (!check(item, run)) continue
        count++
        if (run.doubts === doubts) certain++
      }
      run.forget()
      return (count >= min && certain <= max) || run.fail(`must contain at least ${min} valid item(s)`)
    },
  ]
}

function joined(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const all = listOf(schema, 'allOf', at, compiler)
  const any = listOf(schema, 'anyOf', at, compiler)
  const one = listOf(schema, 'oneOf', at, compiler)
  const not = partOf(schema, 'not', at, compiler)
  const negated: SchemaCheck = (value, run) => {
    const { doubts } = run
    if (not!(value, run) && run.doubts === doubts) return run.fail('must NOT be valid')
    run.forget()
    return true
  }
  return [
    ...all,
    ...(any.length === 0 ? [] : [someOf(any)]),
    ...(one.length === 0 ? [] : [exactlyOne(one)]),
    ...(not ? [negated] : []),
  ]
}

/** Reports the first error, because the first alternative is usually the intended type. */
function someOf(checks: readonly SchemaCheck[]): SchemaCheck {
  return (value, run) => {
    let fault: { message: string; path: (string | number)[] } | undefined
    for (const check of checks) {
      if (check(value, run)) {
        run.forget()
        return true
      }
      fault ??= { message: run.message, path: [...run.path] }
    }
    run.fail(fault!.message)
    run.path.push(...fault!.path)
    return false
  }
}

function exactlyOne(checks: readonly SchemaCheck[]): SchemaCheck {
  const some = someOf(checks)
  return (value, run) => {
    let [count, certain] = [0, 0]
    for (const check of checks) {
      const { doubts } = run
      if (!check(value, run)) continue
      count++
      if (run.doubts === doubts && ++certain > 1) return run.fail('must match exactly one schema in oneOf')
    }
    if (count === 0) return some(value, run)
    run.forget()
    return true
  }
}

function conditional(schema: Members, at: string, compiler: SchemaCompiler): SchemaCheck[] {
  const [when, then, otherwise] = ['if', 'then', 'else'].map((name) => partOf(schema, name, at, compiler))
  if (!when || (!then && !otherwise)) return []
  return [
    (value, run) => {
      const { doubts } = run
      const fits = when(value, run)
      run.forget()
      if (fits && run.doubts > doubts) return true
      return (fits ? then : otherwise)?.(value, run) ?? true
    },
  ]
}
