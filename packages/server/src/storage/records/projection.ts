import type { FieldSet, ReadScope } from '../../grants/read-scope.ts'
import { storedJson, storedMembers } from '../../lib/stored-json.ts'
import type { Layout } from './layout.ts'

/** A row of a record. `extra` is 1 if the record has members that are not declared. */
interface ProjectedRow {
  readonly extra: number
  readonly data: string
}

/** Reduces stored records to the fields that a scope shows. */
export class Projection {
  readonly #fields: ReadScope['projection']
  readonly #showsAllDeclared: boolean

  constructor({ projection }: Pick<ReadScope, 'projection'>, { fields }: Pick<Layout, 'fields'>) {
    this.#fields = projection
    this.#showsAllDeclared = projection === 'all' || fields.every((field) => projection.includes(field.name))
  }

  /** `checked` are texts that need not be checked again, by the number of their record. */
  json({ data, extra }: ProjectedRow, checked?: CheckedTexts, number = 0): string {
    const isComplete = this.#showsAllDeclared && extra === 0
    if (!checked || !isComplete) return projectJson(data, this.#fields, isComplete)
    if (!checked.has(number, data)) checked.add(number, projectJson(data, this.#fields, isComplete))
    return data
  }

  /** The members of a parsed record that the scope shows. */
  members(
    { extra }: Pick<ProjectedRow, 'extra'>,
    data: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> {
    const fields = this.#fields
    if (fields === 'all' || (this.#showsAllDeclared && extra === 0)) return data
    return Object.fromEntries(fields.flatMap((name) => (Object.hasOwn(data, name) ? [[name, data[name]]] : [])))
  }
}

/**
 * Returns the members of a stored record that the scope includes, as JSON text. Stores call it for every record they
 * return. `complete` means that the text contains no other members. Then it is returned unchanged after checking that
 * it is JSON, because damaged text would break the whole answer.
 */
export function projectJson(json: string, projection: FieldSet, complete = false): string {
  if (projection === 'all' || complete) {
    storedJson(json)
    return json
  }
  const data = storedMembers(json, projection)
  const projected: Record<string, unknown> = {}
  for (const name of projection) {
    if (Object.hasOwn(data, name)) projected[name] = data[name]
  }
  return JSON.stringify(projected)
}

const SLOTS = 512
/** Longer texts are not kept. */
const MAX_UNITS = 4096

/**
 * Texts of records that were found to be JSON lately. Comparing a text with one of them takes a tenth of the time that
 * parsing it again takes, and finds every damage as well. Each record has one slot, by its number, and shares it with
 * others.
 */
export class CheckedTexts {
  readonly #texts: string[] = new Array<string>(SLOTS).fill('')

  has(number: number, text: string): boolean {
    return this.#texts[number % SLOTS] === text
  }

  add(number: number, text: string): void {
    if (text.length <= MAX_UNITS) this.#texts[number % SLOTS] = text
  }
}
