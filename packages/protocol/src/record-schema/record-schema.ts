import { SchemaCompiler, SchemaFault } from './schema-compile.ts'
import { SchemaRun, TooCostly } from './schema-run.ts'

/**
 * Checks the data of one record. Returns undefined if it fits, otherwise the path and the reason. `bytes` is its size
 * as JSON.
 */
export type RecordCheck = (data: unknown, bytes?: number) => string | undefined

/** A schema keyword that is kept but not evaluated. */
export interface UncheckedKeyword {
  readonly keyword: string
  /** JSON Pointer into the schema. */
  readonly at: string
}

interface Compiled {
  readonly check: RecordCheck
  readonly unchecked: readonly UncheckedKeyword[]
}

/**
 * Compiles a source's JSON Schema 2020-12. The standard treats formats as annotations; this check enforces date-time
 * and date, because the time limits of grants depend on them. Returns a message if the schema is invalid.
 */
export function compileRecordSchema(schema: object): RecordCheck | string {
  const result = compiledOf(schema)
  return typeof result === 'string' ? result : result.check
}

export function uncheckedKeywords(schema: object): readonly UncheckedKeyword[] {
  const result = compiledOf(schema)
  return typeof result === 'string' ? [] : result.unchecked
}

/** Cached per schema object. */
const compiled = new WeakMap<object, Compiled | string>()

function compiledOf(schema: object): Compiled | string {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const result = compile(schema)
  compiled.set(schema, result)
  return result
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

function compile(schema: object): Compiled | string {
  const { $schema: dialect } = schema as { $schema?: unknown }
  if (dialect !== undefined && String(dialect).replace(/#$/, '') !== DIALECT)
    return unusable(`its $schema must be ${DIALECT}`)
  const compiler = new SchemaCompiler(schema)
  try {
    const check = compiler.compile()
    return { check: bounded(check), unchecked: compiler.unchecked }
  } catch (error) {
    if (error instanceof SchemaFault) return unusable(error.message)
    throw error
  }
}

const unusable = (why: string): string => `is not a usable JSON Schema: ${why.slice(0, 200)}`

/** Steps allowed for every record, in addition to one step per byte of it. */
const MIN_STEPS = 100_000

function bounded(check: ReturnType<SchemaCompiler['compile']>): RecordCheck {
  return (data, bytes = 0) => {
    const run = new SchemaRun(MIN_STEPS + bytes)
    try {
      if (check(data, run)) return
    } catch (error) {
      if (error instanceof TooCostly) return `the record ${error.message}`
      throw error
    }
    const where = run.path.toReversed().join('.') || 'the record'
    return `${where.slice(0, 120)} ${run.message.slice(0, 200)}`
  }
}
