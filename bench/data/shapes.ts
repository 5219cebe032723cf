// Small stores with the same number of records, but with different numbers of streams, connections or fields.

import { requireDeclaration } from '@pdpp/protocol'
import { OWNER, openOffline, readConfig } from '@pdpp/server'
import { issueGrant } from '../reads/read-setup.ts'
import { measureProbes, type Probes } from '../server/probes.ts'
import { type BenchFeed, type BenchRecord, records } from './generator.ts'
import { BIG_STREAM, CONNECTOR, SEARCHED, SOURCE } from './source.ts'

export interface Shape {
  readonly streams: number
  readonly connections: number
  readonly fields: number
}

export interface ShapeResult extends Shape {
  readonly probes: Probes
}

export const SHAPE_RECORDS = 20_000
export const USUAL: Shape = { streams: 4, connections: 5, fields: 10 }
const SHAPES: readonly Shape[] = [
  USUAL,
  { ...USUAL, streams: 40 },
  { ...USUAL, connections: 1 },
  { ...USUAL, connections: 20 },
  { ...USUAL, fields: 60 },
]

export async function measureShapes(directory: (name: string) => string): Promise<ShapeResult[]> {
  const results: ShapeResult[] = []
  for (const [index, shape] of SHAPES.entries())
    results.push({ ...shape, probes: await measureShape(shape, directory(`shape-${index}`)) })
  return results
}

async function measureShape(shape: Shape, dataDir: string): Promise<Probes> {
  const config = { ...readConfig({ dataDir }, {} as Parameters<typeof readConfig>[1]), port: 0 }
  const server = await openOffline(config)
  const { context } = server
  const connections = Array.from({ length: shape.connections }, (_, index) => `box-${index + 1}`)
  await context.storage.sources.declare(OWNER, sourceOf(shape))
  for (const connectionId of connections)
    await context.connections.create(OWNER, { connectorKey: CONNECTOR, connectionId })
  const feeds = feedsOf(shape, connections)
  const frequencies = new Map<string, number>()
  for (const feed of feeds) {
    const { stream, connectionId } = feed
    const target = { subjectId: OWNER, connectorKey: CONNECTOR, connectionId, stream }
    await context.ingest.ingest(target, lines(feed, shape.fields, frequencies))
  }
  const { token } = await issueGrant(context, connections)
  const near = (count: number) =>
    [...frequencies].reduce((best, one) => (Math.abs(one[1] - count) < Math.abs(best[1] - count) ? one : best))[0]
  const probes = await measureProbes(server, token, feeds[0]!, { rare: near(20), ten: near(SHAPE_RECORDS / 10) })
  await server.close()
  return probes
}

const streamName = (index: number): string => (index === 0 ? BIG_STREAM : `stream_${index}`)

function sourceOf({ streams, fields }: Shape) {
  const [model] = SOURCE.streams
  const own = model!.schema['properties'] as Record<string, unknown>
  const more = extraFields(fields).map((name) => [name, { type: 'string' }])
  const schema = { ...model!.schema, properties: { ...own, ...Object.fromEntries(more) } }
  return requireDeclaration({
    ...SOURCE,
    streams: Array.from({ length: streams }, (_, index) => ({ ...model, name: streamName(index), schema })),
  })
}

/** The generated records already have nine fields. */
const extraFields = (fields: number): string[] => Array.from({ length: fields - 9 }, (_, index) => `field_${index}`)

function feedsOf({ streams }: Shape, connections: readonly string[]): BenchFeed[] {
  const count = Math.round(SHAPE_RECORDS / streams / connections.length)
  return Array.from({ length: streams }, (_, at) => streamName(at)).flatMap((stream, at) =>
    connections.map((connectionId, index) => ({ index: at * connections.length + index, stream, connectionId, count })),
  )
}

async function* lines(feed: BenchFeed, fields: number, frequencies: Map<string, number>): AsyncGenerator<Buffer> {
  const names = extraFields(fields)
  for (const record of records(feed)) {
    for (const word of wordsOf(record)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
    const data = { ...record, ...Object.fromEntries(names.map((name) => [name, record.channel])) }
    yield Buffer.from(`${JSON.stringify({ key: record.id, emitted_at: record.sent_at, data })}\n`)
  }
}

const wordsOf = (record: BenchRecord): Set<string> =>
  new Set(SEARCHED.flatMap((field) => record[field].toLowerCase().split(/[^a-z]+/)).filter((word) => word.length > 3))
