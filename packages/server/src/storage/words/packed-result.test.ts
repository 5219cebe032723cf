import { deserialize, serialize } from 'node:v8'
import { expect, test } from 'vitest'
import type { FoundRecord } from '../../search/search-store.ts'
import { packResult, unpackResult } from './packed-result.ts'

const statistics = {
  words: [],
  averages: Uint8Array.of(3, 9),
  headGrains: 4,
  alike: [{ feed: 2, last: 8 }],
  hasFreeQuotes: true,
}
const excerpt = {
  ...{ field_path: 'body', preview_text: 'a <mark>gull</mark>', truncated: true, total_chars: 90 },
  ...{ match_start_chars: 2, match_end_chars: 6, window_start_chars: 1, window_end_chars: 60 },
}
const hit = (number: number, more: Partial<FoundRecord>): FoundRecord => ({
  ...{ target: 1, number, connectionId: 'home', key: `k${number}`, emittedAt: 5, tier: 2, match: 'words' },
  label: { title: 'Gulls', actor: 'Ines', authoredAt: '2026-01-01', container: 'family' },
  ...{ context: undefined, excerpts: [], shortExcerpts: [], begins: undefined },
  position: { grains: 7, time: Number.NEGATIVE_INFINITY, feed: 3, number, isHead: true, statistics },
  ...more,
})

test('a result arrives in another thread as it was', () => {
  const preview = { path: 'body', text: 'a', start: 0, end: 1, total: 1 }
  const found = [
    hit(1, { excerpts: [excerpt, { ...excerpt, truncated: false }], shortExcerpts: [excerpt] }),
    hit(2, {
      ...{ match: 'context', tier: 0, begins: preview },
      context: { number: 9, key: 'k9', actor: undefined, authoredAt: undefined, preview },
      label: {
        ...{ title: 'T', actor: undefined, authoredAt: undefined, container: undefined },
        ...{ amount: { field: 'total', value: '12345678901234567890' }, attachments: { kind: 'image', count: 2 } },
      },
    }),
  ]
  const about = { hasMore: true, total: 2, totals: [0, 2], words: [], wordCounts: undefined, longFields: [] }
  for (const hits of [found, []]) {
    const result = { ...about, isCut: false, feeds: 1, building: 0, found: hits }
    const arrived = unpackResult(deserialize(serialize(packResult(result))))
    expect(arrived).toEqual(result)
    expect(arrived.found[1]?.position.statistics).toBe(arrived.found[0]?.position.statistics)
  }
})
