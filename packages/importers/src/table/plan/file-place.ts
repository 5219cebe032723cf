import { hash } from 'node:crypto'
import { stem } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { legalName } from '../infer/column-names.ts'

/** The place of a file. Together with its columns, it decides which source the file belongs to. */
export interface FilePlace {
  /** The name without the date or number that exporting programs add: `orders-2026-02`, `History0`, `orders (1)`. */
  readonly base: string
  /** The path of its folder; empty for a single file. */
  readonly folder: string
}

export function placeOf(name: string): FilePlace {
  const folder = folderOf(treePath(name))
  const own = withoutNumber(stem(name))
  // A name such as 2026-02-07.json describes nothing, so the folder's name is used.
  const base = /\p{L}/u.test(own) ? own : folder.split('/').at(-1) || own
  return { base, folder }
}

const hasWord = (name: string): boolean => /\p{L}{2}/u.test(name)

function withoutNumber(name: string): string {
  const base = name.replace(/[\s\-_.(]*\d[\d\s\-_.)T]*$/, '')
  return hasWord(base) ? base : name
}

/** True for names of exports of the same data, such as `orders-2026-02`, `Orders (1)` and `orders`. */
export function sameKind(a: string, b: string): boolean {
  const bare = (name: string) =>
    legalName(name, '')
      .toLowerCase()
      .replace(/\d+|[^a-z]+|export|copy/g, '')
  return a === b || (bare(a) !== '' && bare(a) === bare(b))
}

/**
 * True unless both folders are known and differ. An owner may import a folder one day and the folder above it another
 * day.
 */
export function sameFolder(a: string, b: string): boolean {
  if (a === '' || b === '' || a === b) return true
  return a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
}

/** A hash of a set of columns that does not depend on their order. */
export const shapeOf = (columns: readonly string[]): string =>
  hash('sha256', JSON.stringify(columns.toSorted())).slice(0, 12)
