const ID = /[ -]([0-9a-f]{32})(_all)?(\.(md|html|csv))?$/i

/** The id at the end of a name: `Trip 152bb52ee2b580179846fd78b2b60ea9.md`. */
export const idInName = (name: string): string | undefined => ID.exec(name)?.[1]?.toLowerCase()

/** The name without id and extension. */
export const titleInName = (name: string): string =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .replace(ID, '')
    .replace(/\.(md|html|csv)$/i, '')

/** The folder as people know it: the titles of the pages above. */
export const folderTitles = (path: string): string =>
  path
    .split('/')
    .slice(0, -1)
    .filter((part) => !/^Export-[0-9a-f-]{36}/i.test(part))
    .map(titleInName)
    .join('/')

/** The deepest folder that all paths share. */
export function commonFolder(paths: readonly string[]): string {
  const [first = [], ...others] = paths.map((path) => path.split('/').slice(0, -1))
  const length = first.findIndex((part, at) => others.some((parts) => parts[at] !== part))
  return first.slice(0, length === -1 ? undefined : length).join('/')
}
