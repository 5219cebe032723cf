import type { Importer, ImportInput, ImportItem, InputHead, ReadTally } from '../../importer.ts'
import { Sessions } from '../../models/conversation/sessions.ts'
import { fixedPlan } from '../../planning/fixed-source.ts'
import { failuresAsProblems } from '../../reading/input-bytes.ts'
import { headOf } from '../../reading/input-head.ts'
import { treePath } from '../../reading/input-tree.ts'
import { firstJsonLines, type JsonLine, jsonLines } from '../../reading/json/json-lines.ts'
import { isObject } from '../../reading/json/json-members.ts'
import { choiceOf, JsonScanner, readJson } from '../../reading/json/json-stream.ts'
import { type JsonObject, objectOf, textOf } from '../../reading/json/json-values.ts'
import { SeenKeys } from '../../reading/seen-keys.ts'
import { StableIds } from '../../reading/stable-ids.ts'
import { claudeCodeDeclaration } from './declaration.ts'
import { callsOf, messagesOf } from './line.ts'

/** Max. tool calls whose names are remembered until their results come. */
const MAX_CALLS = 10_000
const SAID = new Set<unknown>(['user', 'assistant', 'system', 'summary'])

/** Imports transcripts of Claude Code: the files below ~/.claude/projects, or a session of the web version. */
export const claudeCode: Importer = {
  id: 'claude-code',
  name: 'Claude Code',
  kind: 'ai',
  reads: 'transcripts (.jsonl) of sessions and subagents, and sessions of the web version',

  async detect({ input, head }) {
    const isTranscript = isWebSession(head) || firstJsonLines(head).some(isSaid)
    return isTranscript ? { format: 'claude-code', inputs: [input], group: 'claude-code' } : undefined
  },

  async streams(claim, overrides, known) {
    return [await fixedPlan({ claim, declaration: claudeCodeDeclaration, read: claudeCode.read }, overrides, known)]
  },

  async *read({ inputs }, tally) {
    const reading = new TranscriptReading(tally)
    for (const input of inputs.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)))
      yield* failuresAsProblems(reading.file(input), input)
    for (const record of reading.sessions.end()) yield { record }
  },
}

/**
 * Sorts by path, because a session may continue in another file. Subagents come last, because the first question names
 * the session.
 */
const orderOf = ({ name }: ImportInput): string => `${/(?:^|\/)agent-[^/]*$/.test(name) ? 2 : 1} ${treePath(name)}`

/**
 * True for a line in which somebody says something. Logs that only count tokens have no such line and are better
 * imported as a table.
 */
const isSaid = (line: JsonObject): boolean =>
  (line['type'] === 'user' || line['type'] === 'assistant') &&
  objectOf(line['message'])['content'] !== undefined &&
  line['payload'] === undefined

function isWebSession({ text = '' }: InputHead): boolean {
  if (!/^\s*\{\s*"/.test(text) || !/"loglines"\s*:\s*\[/.test(text)) return false
  for (const item of new JsonScanner(choiceOf(['loglines.*'])).add(text))
    if ('value' in item) return isObject(item.value) && isSaid(item.value)
  return false
}

/** The lines of a transcript, or of the list in a web session. */
async function* linesOf(input: ImportInput): AsyncIterable<JsonLine> {
  if (!isWebSession(await headOf(input))) return yield* jsonLines(input)
  let row = 0
  for await (const item of readJson(input, ['loglines.*'])) {
    const place = { input: input.name, row: ++row }
    if ('value' in item && isObject(item.value)) yield { value: item.value, text: JSON.stringify(item.value), place }
    else if ('fault' in item || 'value' in item) yield { fault: 'is not a JSON object', place }
    else if ('cut' in item) yield { fault: 'is cut off', place }
  }
}

class TranscriptReading {
  readonly sessions = new Sessions()
  readonly #seen = new SeenKeys()
  readonly #toolNames = new Map<string, string>()
  readonly #tally: ReadTally

  constructor(tally: ReadTally) {
    this.#tally = tally
  }

  async *file(input: ImportInput): AsyncIterable<ImportItem> {
    const ids = new StableIds()
    let session: string | undefined
    let summary: string | undefined
    for await (const line of linesOf(input)) {
      if ('fault' in line) {
        this.#tally.saw('messages')
        yield { problem: { place: line.place, reason: line.fault, kind: 'messages', kept: false } }
        continue
      }
      const { value } = line
      // Summaries are before the first message of their file and name no session.
      if (value['type'] === 'summary' && value['message'] === undefined) summary = textOf(value['summary']) ?? summary
      else {
        session = textOf(value['sessionId']) ?? session ?? new StableIds().idOf(line.text)
        if (summary !== undefined) this.sessions.describe(session, summary)
        summary = undefined
        yield* this.#line(line, session, ids)
      }
    }
  }

  *#line(
    { value, text, place }: JsonLine & { value: JsonObject; text: string },
    session: string,
    ids: StableIds,
  ): Iterable<ImportItem> {
    const type = textOf(value['type'])
    const isMessage = type === undefined ? isObject(value['message']) : SAID.has(type)
    if (!isMessage) return this.#leftOut(`lines that are not messages: ${(type ?? 'without a type').slice(0, 40)}`)
    for (const [id, name] of callsOf(value)) this.#remember(id, name)
    const id = textOf(value['uuid']) ?? ids.idOf(session, textOf(value['timestamp']), text)
    const messages = [...messagesOf(value, id, this.#toolNames)]
    if (messages.length === 0) return this.#leftOut('messages without content')
    if (this.#seen.meet(id, '') === 'same') return this.#leftOut('repeated lines', messages.length)
    for (const message of messages) {
      this.#tally.saw('messages')
      this.#tally.saw('attachments', message.attachments?.length ?? 0)
      for (const record of this.sessions.add(session, message, place)) yield { record }
    }
  }

  #leftOut(reason: string, count = 1): void {
    this.#tally.saw('messages', count)
    this.#tally.leftOut('messages', reason, count)
  }

  #remember(id: string, name: string): void {
    if (this.#toolNames.size >= MAX_CALLS) this.#toolNames.clear()
    this.#toolNames.set(id, name)
  }
}
