import type { ImportInput } from '../../importer.ts'
import { stem } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { readBody } from './body.ts'
import { readEntries } from './entries.ts'
import { type DateOrder, DateOrders, withoutMarks } from './stamp.ts'

/** If a text in angle brackets occurs this often, WhatsApp wrote it for omitted media. */
const MIN_OCCURRENCES = 3
const MAX_REMEMBERED = 10_000

/** Facts about a chat that need the whole file. */
export interface ChatScan {
  readonly order: DateOrder
  /** The texts in this file that stand for omitted media. */
  readonly omitted: ReadonlySet<string>
  /** The name of the chat for people. */
  readonly name: string
  readonly files: readonly string[]
  readonly isGroup: boolean
  readonly entries: number
}

export async function scanChat(input: ImportInput): Promise<ChatScan> {
  const orders = new DateOrders()
  const angles = new Map<string, number>()
  const authors = new Set<string>()
  const files = new Set<string>()
  let noticed: string | undefined
  let entries = 0
  for await (const entry of readEntries(input)) {
    if ('stray' in entry) continue
    entries++
    orders.add(entry.stamp)
    const [, inAngles] = /^<([^<>:\n]{3,60})>(?:\n|$)/.exec(withoutMarks(entry.body)) ?? []
    if (inAngles !== undefined && angles.size < MAX_REMEMBERED) angles.set(inAngles, (angles.get(inAngles) ?? 0) + 1)
    const { file, kind } = readBody(entry, new Set())
    if (file?.name !== undefined && files.size < MAX_REMEMBERED * 10) files.add(file.name)
    if (entry.author === undefined) continue
    // On iPhones, WhatsApp's own lines have the chat as their author.
    if (kind === 'system') noticed ??= entry.author
    else if (authors.size < MAX_REMEMBERED) authors.add(entry.author)
  }
  const omitted = new Set([...angles].filter(([, count]) => count >= MIN_OCCURRENCES).map(([text]) => text))
  const name = nameInPath(input.name) ?? noticed ?? nameOfPeople([...authors]) ?? stem(input.name)
  return { order: orders.order, omitted, name, files: [...files], isGroup: authors.size > 2, entries }
}

const nameOfPeople = (people: readonly string[]): string | undefined =>
  people.length === 0 || people.length > 2 ? undefined : people.toSorted().join(', ')

const NAMED_FILES = [
  /^whatsapp[ -]chat - (?<name>.+)$/iu,
  /whatsapp.{0,20}?\s(?:with|con|com|avec|mit|met|med|dengan|cu|s\suživatelem|с\sконтактом|с|із|з|với)\s(?<name>.+)$/iu,
  /^(?<name>.+) ile whatsapp sohbeti$/iu,
]

/** `WhatsApp Chat with Ida.txt`, `WhatsApp Chat - Ida.zip/_chat.txt`, and the same in other languages. */
function nameInPath(path: string): string | undefined {
  for (const part of treePath(path).split('/').toReversed()) {
    const bare = part.replace(/\.(txt|zip)$/i, '').replace(/ \(\d{1,2}\)$/, '')
    for (const form of NAMED_FILES) {
      const name = form.exec(bare)?.groups?.['name']?.trim()
      if (name !== undefined && name !== '') return name
    }
    // The folder's name is used only for a file without a name of its own.
    if (!/^_?chat$/i.test(bare)) return
  }
  return
}
