import type { Importer, ImportInput, ImportItem, InputPosition, ReadTally } from '../../importer.ts'
import { Sessions } from '../../models/conversation/sessions.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { treePath } from '../../reading/input-tree.ts'
import { firstJsonLines, jsonLines } from '../../reading/json/json-lines.ts'
import { isObject, present } from '../../reading/json/json-members.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { readTime } from '../../reading/times.ts'
import { codexDeclaration } from './declaration.ts'
import { transcriptMessage } from './item.ts'

/** Max. tool calls whose names are remembered until their results come. */
const MAX_CALLS = 10_000

/** Imports transcripts of Codex: the files below ~/.codex/sessions. */
export const codex: Importer = {
  id: 'codex',
  name: 'Codex',
  kind: 'ai',
  reads: 'transcripts of sessions (rollout-….jsonl)',

  async detect({ input, head }) {
    const isTranscript = firstJsonLines(head).some((line) => line['type'] === 'session_meta' || isResponse(line))
    return isTranscript ? { format: 'codex', inputs: [input], group: 'codex' } : undefined
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: codexDeclaration, read: codex.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const reading = new SessionReading(tally)
    for (const input of inputs.toSorted((a, b) => (treePath(a.name) < treePath(b.name) ? -1 : 1)))
      yield* failuresAsProblems(reading.file(input), input)
    for (const record of reading.sessions.end()) yield { record }
  },
}

const isResponse = ({ type, payload, role, content }: JsonObject): boolean =>
  (type === 'response_item' && isObject(payload)) ||
  // The first versions wrote items without an envelope.
  (type === 'message' && typeof role === 'string' && Array.isArray(content))

/** Facts about the session, learned while its file is read. */
interface Around {
  session: string | undefined
  model: string | undefined
  project: string | undefined
}

class SessionReading {
  readonly sessions = new Sessions()
  readonly #seen = new SeenKeys()
  readonly #toolNames = new Map<string, string>()
  readonly #tally: ReadTally

  constructor(tally: ReadTally) {
    this.#tally = tally
  }

  async *file(input: ImportInput): AsyncIterable<ImportItem> {
    const ids = new StableIds()
    const around: Around = { session: undefined, model: undefined, project: undefined }
    for await (const line of jsonLines(input)) {
      if ('fault' in line) {
        this.#tally.saw('messages')
        yield { problem: { place: line.place, reason: line.fault, kind: 'messages', kept: false } }
        continue
      }
      const { value, text, place } = line
      const type = textOf(value['type'])
      const payload = isObject(value['payload']) ? value['payload'] : value
      const isMeta = type === 'session_meta' || (type === undefined && value['role'] === undefined)
      if (isMeta) around.session = textOf(payload['id']) ?? around.session
      if (isMeta || type === 'turn_context') learn(around, payload)
      else {
        around.session ??= new StableIds().idOf(text)
        yield* this.#item(type, value, payload, around, ids, place)
      }
    }
  }

  *#item(
    type: string | undefined,
    line: JsonObject,
    payload: JsonObject,
    around: Around,
    ids: StableIds,
    place: InputPosition,
  ): Iterable<ImportItem> {
    const [callId, name] = [textOf(payload['call_id']), textOf(payload['name'])]
    if (callId !== undefined && name !== undefined) this.#remember(callId, name)
    const item = type === 'compacted' ? { ...payload, type } : payload
    const message = type === 'event_msg' ? undefined : transcriptMessage(item, this.#toolNames)
    const session = around.session!
    if (message === undefined) {
      const what = `${type ?? ''} ${textOf(payload['type']) ?? ''}`.trim().slice(0, 60)
      return this.#leftOut(
        type === 'event_msg' ? 'events, which repeat or count messages' : `items without words: ${what}`,
      )
    }
    const time = textOf(line['timestamp']) ?? textOf(payload['timestamp'])
    const id = `${session}/${textOf(payload['id']) ?? ids.idOf(time, message.kind, message.text)}`
    if (this.#seen.meet(id, '') === 'same') return this.#leftOut('repeated lines')
    this.#tally.saw('messages')
    const isQuestion = message.kind === 'text' && message.author.isSelf === true
    const detail = present({
      ...message.detail,
      model: message.author.role === 'assistant' ? around.model : undefined,
      project: isQuestion ? around.project : undefined,
    })
    const sentAt = readTime('iso', time ?? '')?.text
    for (const record of this.sessions.add(session, { ...message, id, sentAt, detail }, place)) yield { record }
  }

  #leftOut(reason: string): void {
    this.#tally.saw('messages')
    this.#tally.leftOut('messages', reason)
  }

  #remember(id: string, name: string): void {
    if (this.#toolNames.size >= MAX_CALLS) this.#toolNames.clear()
    this.#toolNames.set(id, name)
  }
}

function learn(around: Around, payload: JsonObject): void {
  const context = isObject(payload['turn_context']) ? payload['turn_context'] : payload
  around.model = textOf(context['model']) ?? around.model
  around.project = textOf(context['cwd']) ?? textOf(objectOf(payload['git'])['repository_url']) ?? around.project
}
