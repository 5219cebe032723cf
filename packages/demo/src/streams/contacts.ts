import { cast, type Person } from '../cast.ts'
import { arrival, day, hour, utc, yearStart } from '../clock.ts'
import { write } from '../grammar.ts'
import { idFor, random } from '../random.ts'
import type { DemoRecord } from '../types.ts'
import { contactNotes, givenNames, otherScripts, surnames } from './contact-names.ts'
import { strangers } from './mail-scenes.ts'

interface Contact {
  ref: string
  person: Person
  phones: string[]
}

const contactCount = 222

export function* contactRecords(): Iterable<DemoRecord> {
  const rng = random('contacts')
  // Numbers with 555 are not in use anywhere.
  const phone = () => `+49 555 ${rng.int(100, 999)} ${rng.int(1000, 9999)}`
  const contacts: Contact[] = Object.entries(cast)
    .filter(([key]) => key !== 'miraWork' && key !== 'gullbot')
    .map(([ref, person]) => ({ ref, person, phones: [phone()] }))
  for (const person of [...strangers(), ...otherScripts])
    contacts.push({ ref: person.address, person, phones: rng.chance(0.7) ? [phone()] : [] })
  const nextSurname = rng.deck(surnames)
  const nextGiven = rng.deck(givenNames)
  while (contacts.length < contactCount) {
    const [given, surname] = [nextGiven(), nextSurname()]
    const organization = rng.chance(0.3) ? write('{supplier}', rng) : undefined
    const person: Person = {
      name: `${given} ${surname}`,
      address: `${`${given}.${surname}`
        .normalize('NFD')
        .replaceAll(/[^A-Za-z.]/g, '')
        .toLowerCase()}@example.com`,
      ...(organization ? { organization } : {}),
      ...(rng.chance(0.6) ? { note: write(rng.pick(contactNotes), rng) } : {}),
    }
    contacts.push({
      ref: `${person.address}/${contacts.length}`,
      person,
      phones: Array.from({ length: rng.pick([0, 1, 1, 2]) }, phone),
    })
  }
  const step = Math.floor((364 * day) / contactCount)
  for (const [index, { ref, person, phones }] of rng.shuffled(contacts).entries()) {
    const at = yearStart + index * step + rng.int(0, 20) * hour
    const id = idFor('ct', ref)
    const data = {
      id,
      name: person.name,
      emails: [person.address],
      phones,
      organization: person.organization ?? null,
      ...(person.note === undefined ? {} : { note: person.note }),
      updated_at: utc(at),
    }
    yield { connection_id: 'contacts', stream: 'contacts', key: id, data, emitted_at: arrival(at) }
  }
}
