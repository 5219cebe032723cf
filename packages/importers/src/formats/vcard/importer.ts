import { parseInstant } from '@pdpp/protocol'
import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { contactRecord } from '../../models/person/record.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { NewestCopies } from '../../reading/newest-copies.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { type ReadCard, readCard } from './card.ts'
import { vcardDeclaration } from './declaration.ts'
import { cardsOf } from './lines.ts'

/** Max. contacts whose groups are remembered. */
const MAX_MEMBERS = 100_000
const MAX_ID_CHARS = 200

/** Imports address books as vCards, of every version. */
export const vcard: Importer = {
  id: 'vcard',
  name: 'Contacts (vCard)',
  kind: 'people',
  reads: 'vCard files (.vcf), versions 2.1 to 4, one or many contacts each',

  async detect({ input, head: { text = '' } }) {
    if (!/^\s*BEGIN\s*:\s*VCARD\s*\r?\n/i.test(text)) return
    return { format: 'vcard', inputs: [input], group: 'contacts' }
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: vcardDeclaration, read: vcard.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const ordered = inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1))
    const book = new AddressBook(tally)
    for (const input of ordered) await book.survey(input).catch(() => {}) // The second reading reports the error.
    for (const input of ordered) yield* failuresAsProblems(book.file(input), input)
  },
}

const rankOf = ({ contact: { updatedAt = '' } }: ReadCard): number => parseInstant(updatedAt) ?? 0

const isEmpty = ({ name, addresses = [], urls = [], detail, photo, note }: ReadCard['contact']): boolean =>
  (name ?? detail ?? photo ?? note) === undefined && addresses.length + urls.length === 0

class AddressBook {
  readonly #tally: ReadTally
  readonly #copies = new NewestCopies()
  readonly #seen = new SeenKeys()
  readonly #ids = new StableIds()
  /** The groups of each contact. A group names its members, but a contact does not name its groups. */
  readonly #groups = new Map<string, string[]>()

  constructor(tally: ReadTally) {
    this.#tally = tally
  }

  async survey(input: ImportInput): Promise<void> {
    for await (const item of cardsOf(input)) {
      if ('fault' in item) continue
      const card = readCard(item.lines)
      if (card.uid !== undefined) this.#copies.offer(card.uid, rankOf(card))
      for (const member of card.members)
        if (card.contact.name !== undefined && this.#groups.size < MAX_MEMBERS)
          this.#groups.set(member, [...new Set([...(this.#groups.get(member) ?? []), card.contact.name])])
    }
  }

  async *file(input: ImportInput): AsyncIterable<ImportItem> {
    for await (const item of cardsOf(input)) {
      this.#tally.saw('contacts')
      const { place } = item
      if ('fault' in item) yield { problem: { place, reason: item.fault, kind: 'contacts', kept: false } }
      else yield* this.#card(readCard(item.lines), item.text, place)
    }
  }

  *#card(card: ReadCard, text: string, place: InputPosition): Iterable<ImportItem> {
    const { contact, uid } = card
    const isCopy = uid === undefined ? this.#seen.meet(text, '') === 'same' : !this.#copies.take(uid, rankOf(card))
    if (isCopy) return this.#tally.leftOut('contacts', 'older or equal copies of a contact')
    if (isEmpty(contact))
      return yield { problem: { place, reason: 'has no name, address or number', kind: 'contacts', kept: false } }
    if (card.otherFiles > 0) this.#tally.leftOut('files', 'logos, sounds and keys', card.otherFiles)
    // Without a UID, the name identifies a contact. A new phone number then changes the contact instead of adding
    // another.
    const id = uid !== undefined && uid.length <= MAX_ID_CHARS ? uid : this.#ids.idOf(uid ?? contact.name)
    const groups = [...new Set([...(contact.groups ?? []), ...(this.#groups.get(uid ?? '') ?? [])])]
    yield { record: contactRecord({ ...contact, id, groups }, place) }
  }
}
