import { declaredFields, type StreamDeclaration } from '@pdpp/protocol'
import { type Choice, NOTHING, type SourceChoice, wholeStreams } from './choice.ts'
import type { OfferedSource, OfferedStream } from './offer.ts'

const PRESETS = ['last_30_days', 'metadata', 'everything', 'nothing'] as const
export type Preset = (typeof PRESETS)[number]

const DAY_MS = 86_400_000
/** Names of fields that hold content. The metadata preset leaves them out, regardless of their declaration. */
const CONTENT = new Set('text body content message note description title subject summary snippet'.split(' '))

/** `pressed` is the value of the pressed button: `<source>:<preset>`. */
export function applyPreset(
  choice: Choice,
  offer: readonly OfferedSource[],
  pressed: string,
  now = Date.now(),
): Choice {
  const preset = PRESETS.find((one) => pressed.endsWith(`:${one}`))
  const source = offer.find(({ key }) => pressed === `${key}:${preset}`)
  if (!preset || !source) return choice
  const before = choice.sources.get(source.key)!
  return { ...choice, sources: new Map(choice.sources).set(source.key, preselected(preset, source, before, now)) }
}

function preselected(preset: Preset, source: OfferedSource, before: SourceChoice, now: number): SourceChoice {
  if (preset === 'nothing') return NOTHING
  const all = source.connections.map(({ connectionId }) => connectionId)
  const connections = before.connections.length > 0 && preset !== 'everything' ? before.connections : all
  if (preset === 'everything') return { ...NOTHING, connections, streams: wholeStreams(source.streams) }
  const ticked = source.streams.filter(({ maxGrant }) => before.streams.has(maxGrant.name))
  const streams = ticked.length > 0 ? ticked : source.streams
  if (preset === 'metadata') {
    const metadata = streams.map((stream): [string, string[]] => [stream.maxGrant.name, metadataOf(stream)])
    return { ...before, connections, streams: new Map(metadata) }
  }
  // A stream without dates cannot be limited to 30 days, so it is unticked. The owner can tick it again.
  const dated = wholeStreams(streams.filter(isDated))
  const kept = [...dated].map(([name, fields]): [string, readonly string[]] => [
    name,
    before.streams.get(name) ?? fields,
  ])
  const from = new Date(now - 30 * DAY_MS).toISOString().slice(0, 10)
  return { ...NOTHING, connections, streams: new Map(kept), from }
}

export function isDated({ declaration }: OfferedStream): boolean {
  return declaration.consent_time_field != null
}

/** Keeps people, times, places, numbers and categories. Drops texts, titles, lists and files. */
function metadataOf({ declaration, maxGrant, required }: OfferedStream): string[] {
  return maxGrant.fields.filter((field) => required.includes(field) || isMetadata(declaration, field))
}

function isMetadata(stream: StreamDeclaration, field: string): boolean {
  const kind = declaredFields(stream).get(field)
  if (kind === 'binary' || kind === 'blob' || kind === 'json') return false
  if (kind !== 'string') return true
  const properties = stream.schema['properties'] as Record<string, Record<string, unknown>>
  const role = properties[field]?.['x_pdpp_role']
  if (CONTENT.has(field) || role === 'primary-title') return false
  const searched = stream.query?.search?.lexical_fields?.includes(field) ?? false
  // A field to group by has few values, such as a folder. Any other searched text is free text.
  return !searched || role === 'actor' || (stream.query?.aggregations?.group_by?.includes(field) ?? false)
}
