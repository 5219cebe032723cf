import { describe, expect, test } from 'vitest'
import { liftBy, namedTimes } from './named-times.ts'
import { parseQuery } from './query.ts'

const lift = (text: string, date: string): number => liftBy(namedTimes(text).times)(Date.parse(date) * 1000)
const content = (text: string, isTimeGiven = false): string[] =>
  parseQuery(text, [], isTimeGiven)
    .words.filter((word) => word.content)
    .map(({ term }) => term)

describe('a time that a question names', () => {
  test('lifts records of a month, of every year if none is named', () => {
    expect(lift('What did the vet charge in January?', '2024-01-20')).toBe(1)
    expect(lift('What did the vet charge in January?', '2026-01-01')).toBe(1)
    expect(lift('What did the vet charge in January?', '2024-02-01')).toBe(0)
  })

  test('lifts less what came in the month after, and nothing of other years', () => {
    expect(lift('the harvest of June 2025', '2025-06-30T23:59:59Z')).toBe(1)
    expect(lift('the harvest of June 2025', '2025-07-01')).toBe(0.5)
    expect(lift('the harvest of June 2025', '2024-06-15')).toBe(0)
  })

  test('may be a day or a year, in figures or in another language', () => {
    for (const text of ['2025-05-03', 'on 3 May 2025', 'May 3rd, 2025', 'am 3. Mai 2025', 'le 3 mai 2025']) {
      expect(lift(text, '2025-05-03T12:00:00Z'), text).toBe(1)
      expect(lift(text, '2025-05-08T12:00:00Z'), text).toBe(0.6)
      expect(lift(text, '2025-05-28T12:00:00Z'), text).toBe(0.4)
    }
    expect(lift('what happened in 2023', '2023-11-05')).toBe(0.3)
    expect(lift('что было 5 июня', '2023-06-05')).toBe(1)
  })

  test.each(['may I come', 'the march of the gulls', 'Did June call?', 'a mar in the wood'])('is not "%s"', (text) => {
    expect(namedTimes(text).times).toEqual([])
  })
})

describe('words that name a time', () => {
  test('find nothing by themselves, unless there are no others', () => {
    expect(content('What did the vet charge in January 2026?')).toEqual(['vet', 'charge'])
    expect(content('January 2026')).toEqual(['january', '2026'])
  })

  test('are no words at all if the request says the time', () => {
    const { words, times } = parseQuery('vet bill January 2026', [], true)
    expect([words.map(({ term }) => term), times]).toEqual([['vet', 'bill'], []])
  })

  test.each(['"vet bill" in June 2026', 'title:vet in June 2026'])('count little beside %s', (text) => {
    expect(parseQuery(text, ['title']).words.filter((word) => word.content)).toEqual([])
    expect(parseQuery(text, ['title'], true).words.map(({ term }) => term)).toEqual(['in'])
  })
})
