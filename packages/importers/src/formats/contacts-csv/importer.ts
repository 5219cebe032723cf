import type { Importer, ImportInput, ImportItem, ReadTally } from '../../importer.ts'
import { contacts } from '../../models/person/declaration.ts'
import { contactRecord } from '../../models/person/record.ts'
import { fixedSource } from '../../models/schema.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { delimited } from '../table/csv/delimited.ts'
import { googleContact, isGoogle } from './google.ts'
import { isOutlook, outlookContact } from './outlook.ts'
import { type ContactParts, ContactRow } from './row.ts'
import { isThunderbird, thunderbirdContact } from './thunderbird.ts'

/** An address book that a program writes as a table. */
interface Form {
  readonly id: string
  readonly name: string
  is(columns: ReadonlySet<string>): boolean
  read(row: ContactRow): ContactParts
}

/** Google comes first, because its columns include Outlook's. */
const FORMS: readonly Form[] = [
  { id: 'google-contacts', name: 'Google Contacts', is: isGoogle, read: googleContact },
  { id: 'thunderbird-contacts', name: 'Thunderbird contacts', is: isThunderbird, read: thunderbirdContact },
  { id: 'outlook-contacts', name: 'Outlook contacts', is: isOutlook, read: outlookContact },
]

export const [googleContacts, thunderbirdContacts, outlookContacts] = FORMS.map(importerOf) as [
  Importer,
  Importer,
  Importer,
]

function importerOf(form: Form): Importer {
  const { id, name } = form
  const declaration = fixedSource(id, name, 1, [contacts])
  const importer: Importer = {
    id,
    name,
    kind: 'people',
    reads: `contacts that ${name.replace(/ contacts$/i, '')} exported as CSV`,

    async detect({ input, head: { text } }) {
      return formOf(text) === form ? { format: id, inputs: [input], group: id } : undefined
    },

    async streams(claim, overrides, known) {
      return [await fixedPlan({ claim, declaration, read: importer.read }, overrides, known)]
    },

    async *read({ inputs }, tally) {
      const [seen, ids] = [new SeenKeys(), new StableIds()]
      for (const input of inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1)))
        yield* failuresAsProblems(contactsOf(input, form, seen, ids, tally), input)
    },
  }
  return importer
}

/** Recognises the program by the column names in the first line. */
function formOf(text: string | undefined): Form | undefined {
  const line = text?.slice(0, 20_000).split(/\r?\n/, 1)[0] ?? ''
  const columns = new Set(
    line
      .replace(/^\ufeff/, '')
      .split(/[,;\t]/)
      .map((cell) =>
        cell
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim()
          .toLowerCase(),
      ),
  )
  return columns.size < 3 ? undefined : FORMS.find((form) => form.is(columns))
}

async function* contactsOf(
  input: ImportInput,
  form: Form,
  seen: SeenKeys,
  ids: StableIds,
  tally: ReadTally,
): AsyncIterable<ImportItem> {
  for await (const item of delimited.rows(input, () => {})) {
    if ('problem' in item) {
      if (!item.problem.kept) tally.saw('contacts')
      yield { problem: item.problem.kept ? item.problem : { ...item.problem, kind: 'contacts' } }
      continue
    }
    tally.saw('contacts')
    const { row, line, values } = item.row
    const place = { input: input.name, row, line }
    const content = JSON.stringify(values)
    const cells = new ContactRow(values)
    if (cells.isEmpty) tally.leftOut('contacts', 'empty rows')
    else if (seen.meet(content, '') === 'same') tally.leftOut('contacts', 'repeated rows')
    else {
      const contact = form.read(cells)
      // The table has no ids, so the name identifies a contact. A new phone number then changes the contact instead of
      // adding another.
      const id = ids.idOf(contact.name ?? content)
      const detail = Object.keys(contact.detail ?? {}).length === 0 ? undefined : contact.detail
      yield { record: contactRecord({ ...contact, id, detail }, place) }
    }
  }
}
