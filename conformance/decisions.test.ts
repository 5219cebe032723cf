// If a settled point decides between two requirements, docs/decisions.md explains it, and a test of each requirement
// cites the point (point 28).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allClaims } from './citations.ts'
import { requirements } from './requirements.ts'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'decisions.md'), 'utf8')
const [, section] = /^## Where requirements disagree\n([\s\S]*?)^## /m.exec(page)!
const entries = [
  ...section!.matchAll(/^\*\*([^*]+)\*\* \((.+?); points? ([\d, and]+)\)\. ([\s\S]*?)(?=^\*\*|$(?![\s\S]))/gm),
].map(([, title, ids, points, text]) => ({
  title: title!,
  ids: ids!.split(', '),
  points: points!.match(/\d+/g)!.map(Number),
  text: text!,
}))

const claims = allClaims()

test('all conflicts between requirements are decided', () => {
  expect(entries.length).toBeGreaterThanOrEqual(20)
  expect(section!.match(/^\*\*/gm)).toHaveLength(entries.length)
  const points = new Set(entries.flatMap((entry) => entry.points))
  for (const point of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 21, 22, 29, 30, 31, 41, 42])
    expect(points).toContain(point)
})

describe.each(entries)('"$title"', ({ ids, points, text }) => {
  test('has a reason and says what would change it', () => {
    expect(text).toMatch(/Would\s+change\s+our\s+mind: \S/)
    expect(text.length).toBeGreaterThan(200)
  })

  test.each(ids)('a test of %s names the point', (id) => {
    const known = requirements.find((one) => one.id === id)
    expect(known).toBeDefined()
    if (known?.open) return
    const own = claims.filter(({ citations }) => citations.includes(id))
    const naming = own.filter(({ citations }) => points.some((point) => citations.includes(`point ${point}`)))
    expect(naming.length, `of ${own.length} tests`).toBeGreaterThan(0)
  })
})
