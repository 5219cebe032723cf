import type { ImportInput, InputTree } from '../importer.ts'

/**
 * The end of an archive's name, with the number of the part: `takeout-001.zip`, `Export-Part-2.zip`, `takeout-001.tgz`.
 */
const PART = /(?:[-_ ]part[-_ ]?\d{1,4}|-\d{3})?\.(?:zip|tar|tar\.gz|tgz)$/i
const ENDING = /\.(?:zip|tar|tar\.gz|tgz)$/i

/**
 * The path by which a file is found and sorted. It is the same in a folder, in an archive, and in a part of a split
 * archive.
 */
export function treePath(name: string): string {
  return name
    .normalize('NFC')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part, at, parts) => (at < parts.length - 1 ? part.replace(PART, '') || part.replace(ENDING, '') : part))
    .join('/')
}

export function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '' : path.slice(0, end)
}

/** The files of one import. If a file is there both packed and unpacked, the first of the two is used. */
export class FileTree implements InputTree {
  readonly #byPath = new Map<string, ImportInput>()
  readonly #paths: string[]

  constructor(inputs: readonly ImportInput[]) {
    for (const input of inputs) {
      const path = treePath(input.name)
      if (!this.#byPath.has(path)) this.#byPath.set(path, input)
    }
    this.#paths = [...this.#byPath.keys()].toSorted()
  }

  get(path: string): ImportInput | undefined {
    return this.#byPath.get(treePath(path))
  }

  near(input: ImportInput, relative: string): ImportInput | undefined {
    const parts = folderOf(treePath(input.name)).split('/')
    for (const part of relative.replaceAll('\\', '/').split('/')) {
      if (part === '..') parts.pop()
      else if (part !== '' && part !== '.') parts.push(part)
    }
    return this.get(parts.join('/'))
  }

  below(folder: string): readonly ImportInput[] {
    const start = folder === '' ? '' : `${treePath(`${folder}/x`).slice(0, -2)}/`
    const found: ImportInput[] = []
    for (let at = this.#firstFrom(start); at < this.#paths.length; at++) {
      if (!this.#paths[at]!.startsWith(start)) break
      found.push(this.#byPath.get(this.#paths[at]!)!)
    }
    return found
  }

  #firstFrom(start: string): number {
    let [low, high] = [0, this.#paths.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#paths[middle]! < start) low = middle + 1
      else high = middle
    }
    return low
  }
}
