import { createRequire } from 'node:module'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { parseInstant } from './instant.ts'

/** Checks one record's data; undefined when it fits, otherwise where it does not and why. */
export type RecordCheck = (data: unknown) => string | undefined

/**
 * A source's own JSON Schema 2020-12. Formats are annotations there; date-time and date are asserted here all the
 * same, because time limits of a grant stand on them. Returns a message where the schema itself is wrong.
 */
export function compileRecordSchema(schema: object): RecordCheck | string {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const check = compile(schema)
  compiled.set(schema, check)
  return check
}

/** Compiling takes longer than a small import: once for each schema object. */
const compiled = new WeakMap<object, RecordCheck | string>()

function compile(schema: object): RecordCheck | string {
  // Loaded with the first schema: most commands meet none, and it is a tenth of what they load.
  const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateFormats: true,
    formats: FORMATS,
    ownProperties: true,
  })
  let validate: ValidateFunction
  try {
    // `$async` is Ajv's own word: with it a check would give a promise, which is true for every record.
    const { $id: _id, $async: _async, ...rest } = schema as Record<string, unknown>
    validate = ajv.compile(rest)
  } catch (error) {
    return `is not a usable JSON Schema: ${(error as Error).message.slice(0, 200)}`
  }
  return (data) => (validate(data) ? undefined : describe(validate.errors?.[0]))
}

const FORMATS = {
  'date-time': (text: string) => text.length > 10 && parseInstant(text) !== undefined,
  date: (text: string) => text.length === 10 && parseInstant(text) !== undefined,
}

function describe(error: ErrorObject | undefined): string {
  const where = error?.instancePath ? error.instancePath.slice(1).replaceAll('/', '.') : 'the record'
  return `${where.slice(0, 120)} ${(error?.message ?? 'does not fit').slice(0, 200)}`
}
