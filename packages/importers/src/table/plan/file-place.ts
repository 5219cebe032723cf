import { hash } from 'node:crypto'
import { stem } from '../../reading/input-bytes.ts'
import { folderOf, treePath } from '../../reading/input-tree.ts'
import { legalName } from '../infer/column-names.ts'

/** The place of a file. Together with its columns, it decides which source the file belongs to. */
export interface FilePlace {
  /** The name without the date or number that exports add: `orders-2026-02`, `History0`, `orders (1)`. */
  readonly base: string
  /** The path of its folder, which is empty for a file that was given by itself. */
  readonly folder: string
}

export function placeOf(name: string): FilePlace {
  const folder = folderOf(treePath(name))
  const own = withoutNumber(stem(name))
  // A file that is called 2026-02-07.json says nothing, and its folder does.
  const base = /\p{L}/u.test(own) ? own : folder.split('/').at(-1) || own
  return { base, folder }
}

const hasWord = (name: string): boolean => /\p{L}{2}/u.test(name)

function withoutNumber(name: string): string {
  const base = name.replace(/[\s\-_.(]*\d[\d\s\-_.)T]*$/, '')
  return hasWord(base) ? base : name
}

/** `orders-2026-02`, `Orders (1)` and `orders` are exports of one thing. */
export function sameKind(a: string, b: string): boolean {
  const bare = (name: string) =>
    legalName(name, '')
      .toLowerCase()
      .replace(/\d+|[^a-z]+|export|copy/g, '')
  return a === b || (bare(a) !== '' && bare(a) === bare(b))
}

/** True unless both folders are known and differ. The owner may import a folder, or the folder above it. */
export function sameFolder(a: string, b: string): boolean {
  if (a === '' || b === '' || a === b) return true
  return a.endsWith(`/${b}`) || b.endsWith(`/${a}`)
}

/** A hash of a set of columns. The order of the columns changes nothing. */
export const shapeOf = (columns: readonly string[]): string =>
  hash('sha256', JSON.stringify(columns.toSorted())).slice(0, 12)
