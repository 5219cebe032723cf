// Tests that the form matches the page: reading it back without a change gives the choice that was shown.
import fc from 'fast-check'
import { expect } from 'vitest'
import { ShownForm } from '../../../../../tests/fixtures/shown-form.ts'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { type Choice, isChosen, NOTHING, readChoice, type SourceChoice } from '../../authorization/consent/choice.ts'
import { applyGroups } from '../../authorization/consent/groups.ts'
import { listSources } from '../../authorization/consent/listing.ts'
import { offers, requestOf } from '../../authorization/consent/offer.fixture.ts'
import type { OfferedSource } from '../../authorization/consent/offer.ts'
import { isDated } from '../../authorization/consent/presets.ts'
import { groupsOf, inOrder } from './kind-groups.ts'
import type { ConsentView } from './page.ts'
import { sourceList } from './source-list.ts'

const DAYS = [
  ['', ''],
  ['2026-01-01', ''],
  ['2026-01-01', '2026-02-01'],
]

/** Any choice that an owner can make for a source. */
function sourceChoices({ connections, streams }: OfferedSource): fc.Arbitrary<SourceChoice> {
  const fields = streams.map(({ maxGrant, required }) =>
    fc
      .subarray([...maxGrant.fields])
      .map((some) => maxGrant.fields.filter((one) => some.includes(one) || required.includes(one))),
  )
  return fc
    .record({
      parts: fc.subarray(streams.map((_, index) => index)),
      fields: fc.tuple(...fields),
      ids: fc.subarray(
        connections.map(({ connectionId }) => connectionId),
        { minLength: 1 },
      ),
      isOn: fc.boolean(),
      // Only a source with dates has fields for days.
      days: fc.constantFrom(...(streams.some(isDated) ? DAYS : DAYS.slice(0, 1))),
    })
    .map(({ parts, fields: chosen, ids, isOn, days: [from, to] }) => {
      const map = new Map(parts.map((index) => [streams[index]!.maxGrant.name, chosen[index]!]))
      const days = { from: from!, to: to! }
      return isOn && map.size > 0
        ? { ...NOTHING, ...days, streams: map, connections: ids }
        : { ...NOTHING, ...days, kept: map }
    })
}

const states = offers(16).chain((offer) =>
  fc.record({
    offer: fc.constant(offer),
    chosen: fc.tuple(...offer.map(sourceChoices)),
    find: fc.constantFrom('', '', 'Source 1', 'c0', 'nowhere'),
    opened: fc.subarray(offer.map(({ key }) => key)),
  }),
)

/** The shared part of a choice. An unticked source shares nothing, even if the page remembers its parts. */
const shared = (offer: readonly OfferedSource[], { sources }: Choice) =>
  offer.flatMap(({ key }) => {
    const choice = sources.get(key)!
    if (!isChosen(choice)) return []
    return [[key, choice.connections.toSorted(), [...choice.streams].toSorted(), choice.from, choice.to]]
  })

verifies('checklist 5', 'a form that is sent as it was shown means what was shown', () => {
  fc.assert(
    fc.property(states, ({ offer, chosen, find, opened }) => {
      const sources = new Map(offer.map(({ key }, index) => [key, chosen[index]!]))
      const choice: Choice = { sources, back: '', ends: '90' }
      const view = {
        request: requestOf(offer),
        choice,
        review: { grants: [], problems: [], singleUse: false, expiresAt: undefined, digest: '' },
        preview: new Map(),
        listing: listSources(inOrder(offer), choice, groupsOf(offer), find),
        opened: new Set(opened),
        facts: undefined,
      } as unknown as ConsentView
      const form = new ShownForm(`<form action="/x">${String(sourceList(view))}</form>`, '/x')
      const sent = new URLSearchParams()
      for (const [name, values] of Object.entries(form.press('decision', 'approve')))
        for (const value of [values].flat()) sent.append(name, value)
      const read = applyGroups(readChoice(sent, offer), groupsOf(offer), sent)
      expect(shared(offer, read)).toEqual(shared(offer, choice))
    }),
    { numRuns: 300 },
  )
})
