import { readXml } from './xml-events.ts'

/** The name of an element without the prefix of its namespace. */
export const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The texts of the elements in a small property file. The first of each name wins. */
export async function xmlProperties(text: string | undefined): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  let held = ''
  await readXml(text ?? '<none/>', {
    open() {
      held = ''
    },
    text(piece) {
      held += piece
    },
    close(name) {
      const value = held.trim()
      held = ''
      if (value !== '' && !found.has(localName(name))) found.set(localName(name), value)
    },
  })
  return found
}
