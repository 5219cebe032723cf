import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenize } from '../analysis/analyser.ts'
import { parseQuery } from '../query/query.ts'
import { anyText } from '../text.fixture.ts'
import { MatchFinder } from './match-finder.ts'

test('finds what the analyser finds, where it finds it', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(1, 1, 1, 100), fc.boolean(), (drawn, asked, times, isAscii) => {
      // Long ASCII texts are scanned by other code.
      const text = (isAscii ? drawn.replace(/[^ -~]/g, '') : drawn).repeat(times)
      const words = parseQuery(asked).words.map((word) => ({ ...word, forms: [{ term: word.term, closeness: 1 }] }))
      const tokens = tokenize(text)
      const expected = tokens.flatMap(({ term, start, end }) =>
        words.flatMap(({ term: sought, isPrefix }, word) =>
          term === sought || (isPrefix && term.startsWith(sought))
            ? [{ word, closeness: 1, start, end }]
            : [],
        ),
      )
      expect(new MatchFinder(words).scan(text)).toEqual(expected)
    }),
    { numRuns: 1000 },
  )
})
