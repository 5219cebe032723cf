// What each request costs as the store grows in one direction at a time.

import { SHAPE_RECORDS, type Shape, type ShapeResult, USUAL } from '../data/shapes.ts'
import { PROBES, type Probes } from '../server/probes.ts'
import { ratio, table, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

export function growthSection(results: readonly SizeResult[], shapes: readonly ShapeResult[]): string[] {
  const usual = shapes.find((shape) => isShape(shape, USUAL))!
  const of = (change: Partial<Shape>) => shapes.find((shape) => isShape(shape, { ...USUAL, ...change }))!
  const sizes = results.map(({ ingest, probes }) => ({ head: `${whole(ingest.size)} records`, probes }))
  const others: { head: string; probes: Probes }[] = [
    { head: '40 streams / 4', probes: of({ streams: 40 }).probes },
    { head: '5 connections / 1', probes: usual.probes },
    { head: '20 connections / 1', probes: of({ connections: 20 }).probes },
    { head: '60 fields / 10', probes: of({ fields: 60 }).probes },
  ]
  const single = of({ connections: 1 }).probes
  const rows = PROBES.map((name) => [
    name,
    whole(sizes[0]!.probes[name].p50),
    ...sizes.slice(1).map(({ probes }) => ratio(probes[name].p50 / sizes[0]!.probes[name].p50)),
    whole(usual.probes[name].p50),
    ...others.map(({ head, probes }) => {
      const from = head.includes('connections') ? single : usual.probes
      return ratio(probes[name].p50 / from[name].p50)
    }),
  ])
  const head = [
    'request',
    `µs at ${sizes[0]!.head}`,
    ...sizes.slice(1).map(({ head: name }) => name),
    `µs at ${whole(SHAPE_RECORDS)} records`,
    ...others.map(({ head: name }) => name),
  ]
  return [
    '## What grows with what',
    `Whole requests in process, p50. Left: the stores of this report, as multiples of the smallest. Right: stores of ${whole(SHAPE_RECORDS)} records with ${USUAL.streams} streams, ${USUAL.connections} connections and ${USUAL.fields} fields, one of which is changed at a time; page, record and aggregates are of one stream over all connections, search is of everything. The rare word is in about 200 records on the left, in 20 on the right.`,
    table(head, rows),
    'What grows, and why: grouping walks an index of every record that is counted, because each of them belongs to a group (a plain count is kept). Search asks one index for each stream of each connection, so it grows with their number, and up to its limits with the records that have the word. The schema names every stream. Nothing else that is shown here reads more than it answers with; what is left is the cache, which holds less of a larger store.',
  ]
}

const isShape = (shape: Shape, { streams, connections, fields }: Shape): boolean =>
  shape.streams === streams && shape.connections === connections && shape.fields === fields
