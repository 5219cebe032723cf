import type { ImportPlan, PlannedField, SourceResult } from '@pdpp/importers'
import { expect, it } from 'vitest'
import { suggestedGrant } from './suggested-grant.ts'

const field = (name: string, uses: string[] = [], type = 'text'): PlannedField => ({ name, type, uses, filled: 3 })
const suggest = (fields: PlannedField[], days?: { first: string; last: string }, name = 'plays') =>
  suggestedGrant(
    {
      streams: [{ name, recordsRead: 3, new: 3, changed: 0, unchanged: 0, refused: 0, days }],
    } as unknown as SourceResult,
    { streams: [{ name, sampled: 3, complete: true, fields, examples: [] }] } as unknown as ImportPlan,
  )

it('begins with the newest year of the data, not of the calendar', () => {
  const fields = [field('endTime', ['time']), field('trackName', ['title'])]
  expect(suggest(fields, { first: '2021-03-01', last: '2022-02-28' })).toEqual({
    stream: 'plays',
    fields: ['endTime', 'trackName'],
    since: '2022-01-01',
  })
  expect(suggest(fields, { first: '2022-01-05', last: '2022-02-28' })?.since).toBeUndefined()
})

it('never names what is private', () => {
  const fields = [
    field('row_id', ['key']),
    field('about'),
    field('personal_information', [], 'json'),
    field('phoneNumber'),
  ]
  expect(suggest(fields)).toBeUndefined()
  expect(suggest([...fields, field('city')])?.fields).toEqual(['city'])
})

it('says nothing of a stream without records', () => {
  expect(suggest([field('title', ['title'])], undefined, 'plays')).toBeDefined()
  expect(
    suggestedGrant({ streams: [] } as unknown as SourceResult, { streams: [] } as unknown as ImportPlan),
  ).toBeUndefined()
})
