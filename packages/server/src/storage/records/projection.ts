import type { ReadScope } from '../../grants/read-scope.ts'
import { projectJson } from '../../records/projection.ts'
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

  constructor({ projection }: ReadScope, { fields }: Layout) {
    this.#fields = projection
    this.#showsAllDeclared = projection === 'all' || fields.every((field) => projection.includes(field.name))
  }

  json({ data, extra }: ProjectedRow): string {
    return projectJson(data, this.#fields, this.#showsAllDeclared && extra === 0)
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
