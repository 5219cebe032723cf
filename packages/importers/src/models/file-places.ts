import { hash } from 'node:crypto'
import type { StreamDeclaration } from '@pdpp/protocol'
import type { ImportItem, ImportPlan } from '../importer.ts'
import { stem } from '../reading/input-bytes.ts'
import { folderOf, treePath } from '../reading/input-tree.ts'
import { id, text } from './schema.ts'

/**
 * The stream of the places where a thing was found. The place is no field of the thing itself, because the thing is
 * identified by its content: if the same file were in two folders, each import of one of them would change the record.
 */
export const filePlaces = (of: string, thing: string): StreamDeclaration => ({
  name: 'files',
  description: `Where each ${thing} lay: file names and folders. One ${thing} can lie in several.`,
  display: { label: 'Files', detail: 'File names and folders' },
  semantics: 'mutable_state',
  schema: {
    type: 'object',
    properties: {
      id: id(`Id of the ${thing} and the path`),
      [`${thing}_id`]: id(`The ${thing}`),
      filename: text('File name', 'primary-title'),
      folder: text('Folder or album'),
    },
    required: ['id', `${thing}_id`],
  },
  primary_key: ['id'],
  relationships: [{ name: thing, stream: of, foreign_key: `${thing}_id`, cardinality: 'belongs_to' }],
  query: {
    search: { lexical_fields: ['filename', 'folder'] },
    aggregations: { count: true, count_distinct: [`${thing}_id`, 'folder'], group_by: ['folder'] },
    expand: [{ name: thing }],
    group_field: 'folder',
  },
})

/** Declares a thing that has several places. `lies_in` leads to them. */
export const HAS_PLACES = (thing: string) =>
  ({ name: 'lies_in', stream: 'files', foreign_key: `${thing}_id`, cardinality: 'has_many' }) as const
export const EXPANDS_PLACES = { name: 'lies_in', default_limit: 10, max_limit: 50 }

/** Reports each place once, because the export may contain a file both packed and unpacked. */
export class FilePlaces {
  readonly #thing: string
  readonly #met = new Set<string>()

  constructor(thing: string) {
    this.#thing = thing
  }

  *of(thingId: string, input: ImportPlan['inputs'][number]): Iterable<ImportItem> {
    const path = treePath(input.name)
    const key = `${thingId}/${shortHash(path)}`
    if (this.#met.has(key)) return
    this.#met.add(key)
    const filename = path.slice(path.lastIndexOf('/') + 1)
    const data = { id: key, [`${this.#thing}_id`]: thingId, filename, folder: folderOf(path) || null }
    yield { record: { stream: 'files', key, data, place: { input: input.name } } }
  }
}

const shortHash = (text: string): string => hash('sha256', text).slice(0, 16)

/**
 * The id of a thing that is identified by its content. `name` is the part of the content that came from the file's
 * name, if any: files with the same content but different names are then different things.
 */
export const contentId = (sha256: string, name?: string): string =>
  name === undefined ? sha256.slice(0, 32) : hash('sha256', `${sha256}\n${name}`).slice(0, 32)

/**
 * The name of a file without its extension and without the words that systems add to copies: `scan (1).pdf`, `Copy of
 * scan.pdf`.
 */
export function nameWithoutCopy(path: string): string {
  const name = stem(path)
  return name.replace(/^copy of /i, '').replace(/(?: - copy| copy)?(?: ?\(\d{1,3}\))?$/i, '') || name
}
