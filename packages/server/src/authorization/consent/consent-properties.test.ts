import { narrowStream, type StreamGrant } from '@pdpp/protocol'
import fc from 'fast-check'
import { expect } from 'vitest'
import { verifies } from '../../../../../tests/fixtures/verifies.ts'
import { BACK_DAYS, type Choice, ENDS, FORM, firstChoice, readChoice } from './choice.ts'
import { applyGroups, GROUP_FORM } from './groups.ts'
import { drafting, offers, requestOf } from './offer.fixture.ts'
import type { OfferedSource } from './offer.ts'
import { applyPreset } from './presets.ts'
import { type Review, reviewChoice } from './review.ts'
import { applySharedPreset, sharedPresets } from './shared-presets.ts'

/** Forms that no owner would send: any names of the page in any state, and unknown names. */
function forms(offer: readonly OfferedSource[]): fc.Arbitrary<URLSearchParams> {
  const entries = offer.flatMap(({ key, connections, streams }) => [
    [FORM.row(key), 'on'],
    [FORM.was(key), 'on'],
    [FORM.parts(key), 'listed'],
    [FORM.from(key), '2026-03-01'],
    [FORM.from(key), '1999-01-01'],
    [FORM.to(key), '2026-04-01'],
    ...[...connections.map(({ connectionId }) => connectionId), 'foreign'].map((id) => [FORM.connection(key), id]),
    ...[...streams.map(({ maxGrant }) => maxGrant.name), 'foreign'].flatMap((name) => [
      [FORM.stream(key), name],
      [FORM.kept(key), name],
      [FORM.listed(key), name],
      ...['id', 'at', 'title', 'body', 'secret', 'foreign'].map((field) => [FORM.field(key, name), field]),
    ]),
  ]) as [string, string][]
  const groups: [string, string][] = [
    [GROUP_FORM.tick, 'all'],
    [GROUP_FORM.was('all'), 'none'],
    [GROUP_FORM.was('all'), 'all'],
  ]
  const periods = [...BACK_DAYS.map((one) => ['back', one]), ...ENDS.map((one) => ['ends', one])] as [string, string][]
  return fc.subarray([...entries, ...groups, ...periods]).map((chosen) => new URLSearchParams(chosen))
}

const choices = (maxSources: number) =>
  offers(maxSources).chain((offer) =>
    fc.record({
      offer: fc.constant(offer),
      form: forms(offer),
      pressed: fc.constantFrom(
        '',
        'all:ordinary',
        'all:asked',
        'all:nothing',
        ...offer.flatMap(({ key }) =>
          ['everything', 'metadata', 'last_30_days', 'nothing'].map((one) => `${key}:${one}`),
        ),
      ),
    }),
  )

function chosen(offer: readonly OfferedSource[], form: URLSearchParams, pressed: string): Choice {
  const read = applyGroups(readChoice(form, offer), [{ id: 'all', sources: offer }], form)
  return applySharedPreset(applyPreset(read, offer, pressed), sharedPresets(offer, []), pressed)
}

const review = (offer: readonly OfferedSource[], choice: Choice): Promise<Review> =>
  reviewChoice(drafting(offer), 'owner', requestOf(offer), choice)

/** True if the widest grant includes everything in this grant. */
function isWithin(grant: StreamGrant, { maxGrant, declaration }: OfferedSource['streams'][number]): boolean {
  const { instance_ids: connections, fields, time_constraint: time, resources } = grant
  const timeField = declaration.consent_time_field ?? undefined
  const common = narrowStream(maxGrant, { connections, fields, resources, ...time }, timeField)
  return JSON.stringify(common) === JSON.stringify({ ...grant, ...(time ? { time_constraint: time } : {}) })
}

verifies('checklist 5', 'no form and no quick choice gives more than was offered', async () => {
  await fc.assert(
    fc.asyncProperty(choices(3), async ({ offer, form, pressed }) => {
      const { grants } = await review(offer, chosen(offer, form, pressed))
      for (const { source, draft } of grants)
        for (const stream of draft.streams) {
          const widest = source.streams.find(({ maxGrant }) => maxGrant.name === stream.name)
          expect([stream, widest && isWithin(stream, widest)]).toEqual([stream, true])
        }
    }),
    { numRuns: 500 },
  )
})

verifies('checklist 5', 'neither the first page nor a quick choice ticks sensitive sources', async () => {
  await fc.assert(
    fc.asyncProperty(offers(4), fc.constantFrom('all:ordinary', 'all:asked', 'all:nothing'), async (offer, pressed) => {
      const first = firstChoice(offer)
      for (const choice of [first, applySharedPreset(first, sharedPresets(offer, []), pressed)]) {
        const { grants } = await review(offer, choice)
        const names = grants.flatMap(({ source, draft }) => draft.streams.map(({ name }) => `${source.key}/${name}`))
        const sensitive = offer.flatMap(({ key, streams }) =>
          streams.filter((one) => one.sensitive).map(({ maxGrant }) => `${key}/${maxGrant.name}`),
        )
        expect(names.filter((name) => sensitive.includes(name))).toEqual([])
      }
    }),
    { numRuns: 200 },
  )
})

verifies('checklist 5', 'two choices have the same seal only if they give the same', async () => {
  const pairs = offers(2).chain((offer) => fc.tuple(fc.constant(offer), forms(offer), forms(offer)))
  await fc.assert(
    fc.asyncProperty(pairs, async ([offer, one, other]) => {
      const [a, b] = await Promise.all([one, other].map((form) => review(offer, chosen(offer, form, ''))))
      const facts = ({ grants, singleUse, expiresAt }: Review) =>
        JSON.stringify([
          grants.map(({ draft }) => draft.streams),
          grants.map(({ source }) => source.key),
          singleUse,
          expiresAt?.slice(0, 10),
        ])
      expect(a!.digest === b!.digest).toBe(facts(a!) === facts(b!))
    }),
    { numRuns: 300 },
  )
})

verifies('checklist 5', 'an access that another agent holds never adds to what is offered', async () => {
  const both = fc.tuple(offers(3), offers(3))
  await fc.assert(
    fc.asyncProperty(both, async ([offer, held]) => {
      const { grants: other } = await review(held, firstChoice(held))
      const access = { id: 'grt_other', grants: other.map(({ draft }) => draft) }
      const choice = applySharedPreset(firstChoice(offer), sharedPresets(offer, [access]), 'all:same:grt_other')
      const { grants } = await review(offer, choice)
      for (const { source, draft } of grants)
        for (const stream of draft.streams) {
          const widest = source.streams.find(({ maxGrant }) => maxGrant.name === stream.name)!
          expect([isWithin(stream, widest), widest.sensitive]).toEqual([true, false])
        }
    }),
    { numRuns: 200 },
  )
})
