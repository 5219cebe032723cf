// The section about growth: how much slower each request gets when a store has more records, streams, connections or
// fields.

import { SHAPE_RECORDS, type Shape, type ShapeResult, USUAL } from '../data/shapes.ts'
import { PROBES, type Probes } from '../server/probes.ts'
import { ratio, table, whole } from './markdown.ts'
import type { SizeResult } from './report.ts'

export function growthSection(results: readonly SizeResult[], shapes: readonly ShapeResult[]): string[] {
  const usual = shapes.find((shape) => isShape(shape, USUAL))!
  const of = (change: Partial<Shape>) => shapes.find((shape) => isShape(shape, { ...USUAL, ...change }))!
  const sizes = results.flatMap(({ ingest, probes }) =>
    probes ? [{ head: `${whole(ingest.size)} records`, probes }] : [],
  )
  if (sizes.length === 0) return []
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
    '## What makes requests slower',
    `Complete requests in process, p50. Left: the stores of this report, compared with the smallest one. Right: stores of ${whole(SHAPE_RECORDS)} records with ${USUAL.streams} streams, ${USUAL.connections} connections and ${USUAL.fields} fields. Each of these columns changes one of these numbers. Page, record and aggregates read one stream over all connections. Search reads everything. About 200 records contain the rare word on the left, and 20 on the right.`,
    table(head, rows),
    'Reasons: grouping reads an index entry for every counted record, because each record belongs to a group. A count without groups is stored. Search ranks every record that contains a word of the query, so its time grows with the number of these records. The schema lists every stream. All other requests read only what they return. They get slower only because the cache contains a smaller part of a larger store.',
  ]
}

const isShape = (shape: Shape, { streams, connections, fields }: Shape): boolean =>
  shape.streams === streams && shape.connections === connections && shape.fields === fields
