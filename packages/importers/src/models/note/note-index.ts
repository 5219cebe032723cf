import type { ImportInput } from '../../importer.ts'
import { FileTree, treePath } from '../../reading/input-tree.ts'

/** Finds the files of a folder by the text with which notes refer to them: a path, or only a name. */
export class NoteIndex {
  readonly #root: string
  readonly #tree: FileTree
  readonly #byPath = new Map<string, ImportInput>()
  readonly #byName = new Map<string, string[]>()

  constructor(inputs: readonly ImportInput[], root: string) {
    this.#root = root
    this.#tree = new FileTree(inputs)
    for (const input of inputs) {
      const path = this.relative(input).toLowerCase()
      if (this.#byPath.has(path)) continue
      this.#byPath.set(path, input)
      const name = path.slice(path.lastIndexOf('/') + 1)
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), path])
    }
  }

  relative(input: ImportInput): string {
    const path = treePath(input.name)
    return this.#root !== '' && path.startsWith(`${this.#root}/`) ? path.slice(this.#root.length + 1) : path
  }

  /**
   * Tries a path relative to the note, then a path from the root, then the shortest path with this ending. Ignores
   * case.
   */
  find(target: string, from: ImportInput): ImportInput | undefined {
    const near = this.#near(target, from) ?? this.#near(`${target}.md`, from)
    if (near) return near
    const wanted = treePath(target).toLowerCase()
    if (wanted === '' || wanted.includes('..')) return
    for (const path of [wanted, `${wanted}.md`]) {
      const exact = this.#byPath.get(path)
      if (exact) return exact
      const name = path.slice(path.lastIndexOf('/') + 1)
      const found = (this.#byName.get(name) ?? []).filter((each) => each === path || each.endsWith(`/${path}`))
      const best = found.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]
      if (best !== undefined) return this.#byPath.get(best)
    }
    return
  }

  #near(target: string, from: ImportInput): ImportInput | undefined {
    const found = this.#tree.near(from, target)
    // A path with `..` must not lead to a file outside the folder of the notes.
    return found && (this.#root === '' || treePath(found.name).startsWith(`${this.#root}/`)) ? found : undefined
  }
}
