import { SchemaCompiler, SchemaFault } from './schema-compile.ts'
import { SchemaRun, TooCostly } from './schema-run.ts'

/** Checks one record's data; undefined when it fits, otherwise where it does not and why. `bytes` is its size as JSON. */
export type RecordCheck = (data: unknown, bytes?: number) => string | undefined

/** A keyword of a schema that is kept and not evaluated. */
export interface UncheckedKeyword {
  readonly keyword: string
  /** A JSON pointer into the schema. */
  readonly at: string
}

interface Compiled {
  readonly check: RecordCheck
  readonly unchecked: readonly UncheckedKeyword[]
}

/**
 * A source's own JSON Schema 2020-12. Formats are annotations there; date-time and date are asserted here all the
 * same, because time limits of a grant stand on them. Returns a message where the schema itself is wrong.
 */
export function compileRecordSchema(schema: object): RecordCheck | string {
  const made = compiledOf(schema)
  return typeof made === 'string' ? made : made.check
}

export function uncheckedKeywords(schema: object): readonly UncheckedKeyword[] {
  const made = compiledOf(schema)
  return typeof made === 'string' ? [] : made.unchecked
}

/** Once for each schema object. */
const compiled = new WeakMap<object, Compiled | string>()

function compiledOf(schema: object): Compiled | string {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compile(schema)
  compiled.set(schema, made)
  return made
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

/** A record is checked in a number of steps that its own size decides. */
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
