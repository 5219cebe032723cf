import type { ReadScope } from '../../grants/read-scope.ts'
import type { CheckedTexts } from '../../lib/checked-texts.ts'
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
