import type { ImportInput } from '../../importer.ts'
import type { Reaction } from '../../models/conversation/records.ts'
import { idText, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'

/** Max. changes and reactions that are remembered. */
const MAX_RELATIONS = 500_000

interface Edit {
  readonly at: string | undefined
  readonly content: JsonObject
}

/** Changes and reactions are separate events, and often come long after the message that they refer to. */
export interface Relations {
  readonly edits: ReadonlyMap<string, readonly Edit[]>
  readonly reactions: ReadonlyMap<string, readonly Reaction[]>
  /** Display names of people. */
  readonly names: ReadonlyMap<string, string>
  /** The ids of all events. A reaction whose target is not among them cannot be shown with it. */
  readonly known: ReadonlySet<string>
}

export const timeOf = (event: JsonObject): string | undefined =>
  readTime('epoch-ms', idText(event['origin_server_ts']) ?? '')?.text

/**
 * The event that this one refers to: `m.replace` changes it, `m.annotation` reacts to it, and `m.thread` belongs to its
 * thread.
 */
export function relationOf(event: JsonObject): {
  type: string | undefined
  target: string | undefined
  key: string | undefined
} {
  const relation = objectOf(objectOf(event['content'])['m.relates_to'])
  return { type: textOf(relation['rel_type']), target: textOf(relation['event_id']), key: textOf(relation['key']) }
}

export async function readRelations(input: ImportInput): Promise<Relations> {
  const edits = new Map<string, Edit[]>()
  const reactions = new Map<string, Reaction[]>()
  const names = new Map<string, string>()
  const known = new Set<string>()
  const annotations: { target: string; sender: string | undefined; reaction: Reaction }[] = []
  for await (const item of readJson(input, ['messages.*'])) {
    if (!('value' in item)) continue
    const event = objectOf(item.value)
    const sender = textOf(event['sender'])
    const { type, target, key } = relationOf(event)
    const id = textOf(event['event_id'])
    if (id !== undefined && known.size < MAX_RELATIONS) known.add(id)
    if (event['type'] === 'm.room.member') {
      const shown = textOf(objectOf(event['content'])['displayname'])
      const about = textOf(event['state_key']) ?? sender
      if (shown !== undefined && about !== undefined) names.set(about, shown)
    }
    if (target === undefined || annotations.length + edits.size >= MAX_RELATIONS) continue
    if (type === 'm.annotation' && key !== undefined)
      annotations.push({ target, sender, reaction: { emoji: key, at: timeOf(event) } })
    if (type === 'm.replace') {
      const own = edits.get(target) ?? []
      edits.set(target, own)
      own.push({ at: timeOf(event), content: objectOf(objectOf(event['content'])['m.new_content']) })
    }
  }
  for (const { target, sender, reaction } of annotations) {
    const own = reactions.get(target) ?? []
    reactions.set(target, own)
    own.push({ ...reaction, author: sender === undefined ? undefined : (names.get(sender) ?? sender) })
  }
  return { edits, reactions, names, known }
}
