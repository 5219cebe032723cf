import { combinations } from './schema-combinations.ts'
import type { SchemaCheck } from './schema-run.ts'
import { TYPE_KEYWORDS } from './schema-types.ts'
import { isObject } from './schema-values.ts'

/**
 * Compiles a JSON Schema 2020-12 into functions, in one pass and without generating code. References are resolved when
 * a record is checked, and a SchemaRun counts the steps.
 */
export class SchemaCompiler {
  readonly #root: object
  readonly #made = new Map<object, SchemaCheck>()
  readonly #anchors = new Map<string, unknown>()
  readonly #references: { readonly ref: string; readonly at: string }[] = []
  /** Keywords that are kept but not evaluated, with their positions. */
  readonly unchecked: { readonly keyword: string; readonly at: string }[] = []

  constructor(root: object) {
    this.#root = root
  }

  /** Throws SchemaFault if the schema is invalid. */
  compile(): SchemaCheck {
    const check = this.part(this.#root, '')
    for (const { ref, at } of this.#references)
      if (!isSchema(this.#target(ref)))
        throw new SchemaFault(`can't resolve reference ${ref.slice(0, 80)} at ${at || '/'}`)
    return check
  }

  /** Compiles a subschema. `at` is its JSON Pointer. */
  part(schema: unknown, at: string): SchemaCheck {
    if (schema === true) return () => true
    if (schema === false) return (_value, run) => run.fail('is not allowed')
    if (!isObject(schema)) throw new SchemaFault(`schema is invalid: ${at || '/'} must be an object or a boolean`)
    const known = this.#made.get(schema)
    if (known) return known
    const checks = this.#checksOf(schema, at)
    const [only] = checks
    const check: SchemaCheck = (value, run) => {
      run.enter()
      const fits = checks.length === 1 ? only!(value, run) : checks.every((one) => one(value, run))
      run.leave()
      return fits
    }
    this.#made.set(schema, check)
    return check
  }

  note(keyword: string, at: string): void {
    this.unchecked.push({ keyword, at: `${at}/${keyword}` })
  }

  reference(ref: string, at: string): SchemaCheck {
    this.#references.push({ ref, at })
    let check: SchemaCheck | undefined
    return (value, run) => {
      check ??= this.part(this.#target(ref), ref.slice(1))
      return check(value, run)
    }
  }

  #checksOf(schema: Record<string, unknown>, at: string): SchemaCheck[] {
    const anchor = schema['$anchor']
    if (typeof anchor === 'string') this.#anchors.set(anchor, schema)
    const checks: SchemaCheck[] = []
    for (const [name, keywordValue] of Object.entries(schema)) {
      const keyword = Object.hasOwn(TYPE_KEYWORDS, name) ? TYPE_KEYWORDS[name] : undefined
      if (!keyword) continue
      const check = keyword(keywordValue)
      if (typeof check === 'string') throw new SchemaFault(`schema is invalid: ${at}/${name} ${check}`)
      checks.push(check)
    }
    return [...checks, ...combinations(schema, at, this)]
  }

  #target(ref: string): unknown {
    if (ref === '#') return this.#root
    if (!ref.startsWith('#')) return
    if (!ref.startsWith('#/')) return this.#anchors.get(ref.slice(1))
    let found: unknown = this.#root
    for (const part of ref.slice(2).split('/')) {
      const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~')
      found =
        typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? (found as never)[name] : undefined
    }
    return found
  }
}

export class SchemaFault extends Error {}

const isSchema = (value: unknown): boolean => typeof value === 'boolean' || isObject(value)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
