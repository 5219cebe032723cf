import type { Grant } from '@pdpp/protocol'
import { type Choice, firstChoice, isChosen, NOTHING, ordinaryPart, type SourceChoice } from './choice.ts'
import type { OfferedSource } from './offer.ts'

/** The access that an agent has now, or had before. */
export interface HeldAccess {
  readonly id: string
  readonly grants: readonly Grant[]
}

/** A quick choice across all sources. It sets ticks, never the period or the end. */
export interface SharedPreset {
  /** The value of its button. */
  readonly value: string
  readonly sources: ReadonlyMap<string, SourceChoice>
}

const PREFIX = 'all:'

/** Every quick choice for this offer. None of them ticks sensitive parts or anything outside the offer. */
export function sharedPresets(offer: readonly OfferedSource[], held: readonly HeldAccess[]): SharedPreset[] {
  const preset = (name: string, choose: (source: OfferedSource) => SourceChoice): SharedPreset => ({
    value: PREFIX + name,
    sources: new Map(offer.map((source) => [source.key, choose(source)])),
  })
  const isAsked = offer.some(({ asked }) => asked)
  return [
    // If the client named the data that it needs, "all but sensitive" would be the same as "what it asked for".
    isAsked ? { value: `${PREFIX}asked`, sources: firstChoice(offer).sources } : preset('ordinary', ordinaryPart),
    // A quick choice that would tick nothing is not offered.
    ...held
      .map((access) => preset(`same:${access.id}`, (source) => sameAs(source, access)))
      .filter(({ sources }) => [...sources.values()].some(isChosen)),
    preset('nothing', () => NOTHING),
  ]
}

/** `pressed` is the value of the pressed button. Any other value leaves the choice unchanged. */
export function applySharedPreset(choice: Choice, presets: readonly SharedPreset[], pressed: string): Choice {
  const preset = presets.find(({ value }) => value === pressed)
  return preset ? { ...choice, sources: preset.sources } : choice
}

/** The part of another access that this request offers. */
function sameAs({ declaration, connections, streams }: OfferedSource, { grants }: HeldAccess): SourceChoice {
  const grant = grants.find(({ source }) => source.connector_key === declaration.connector_key)
  if (!grant) return NOTHING
  const grantedStreams = new Map(grant.streams.map((stream) => [stream.name, stream]))
  const ids = new Set(grant.streams.flatMap((stream) => stream.instance_ids))
  const shared = streams.flatMap(({ maxGrant, required, sensitive }): [string, readonly string[]][] => {
    const stream = grantedStreams.get(maxGrant.name)
    if (!stream || sensitive) return []
    return [
      [maxGrant.name, maxGrant.fields.filter((field) => stream.fields.includes(field) || required.includes(field))],
    ]
  })
  const own = connections.map(({ connectionId }) => connectionId).filter((id) => ids.has(id))
  return own.length === 0 || shared.length === 0 ? NOTHING : { ...NOTHING, connections: own, streams: new Map(shared) }
}

/** True if the preset would change nothing. */
export function isPressed({ sources }: SharedPreset, choice: Choice): boolean {
  return [...sources].every(([key, wanted]) => same(wanted, choice.sources.get(key) ?? NOTHING))
}

function same(a: SourceChoice, b: SourceChoice): boolean {
  if (a.streams.size === 0 && b.streams.size === 0) return true
  const equal = (one: readonly string[], other: readonly string[] = []) =>
    one.length === other.length && one.every((value) => other.includes(value))
  return (
    a.streams.size === b.streams.size &&
    a.from === b.from &&
    a.to === b.to &&
    equal(a.connections, b.connections) &&
    [...a.streams].every(([name, fields]) => equal(fields, b.streams.get(name)))
  )
}
