import { assistant, SYSTEM, tool, USER } from '../../models/conversation/ai-people.ts'
import { callText, partsOf, resultText } from '../../models/conversation/content-blocks.ts'
import type { Person } from '../../models/conversation/records.ts'
import { type JsonObject, listOf, textOf } from '../../reading/json/json-values.ts'

/** The message in one line of a transcript. */
export interface TranscriptMessage {
  readonly author: Person
  readonly kind: string
  readonly text: string
  readonly detail?: JsonObject | undefined
}

const CODEX = assistant('Codex')
/** Context about the machine that the program sends in the user's name. */
const CONTEXT = /^\s*(?:<(?:environment_context|user_instructions|permissions|turn_aborted)|# AGENTS\.md)/

/** Undefined for items without a message and for items that only repeat another one. */
export function transcriptMessage(
  item: JsonObject,
  toolNames: ReadonlyMap<string, string>,
): TranscriptMessage | undefined {
  const type = textOf(item['type']) ?? (item['role'] === undefined ? undefined : 'message')
  const name = textOf(item['name'])
  const called = toolNames.get(textOf(item['call_id']) ?? '')
  if (type === 'message') return messageIn(item)
  if (type === 'reasoning')
    return messageBy(CODEX, 'thinking', resultText([...listOf(item['summary']), ...listOf(item['content'])]))
  if (type === 'compacted') return messageBy(SYSTEM, 'summary', textOf(item['message']) ?? '')
  if (/_output$/.test(type ?? ''))
    return messageBy(tool(called), 'tool_result', outputText(item['output']), { tool: called })
  if (!/_call$/.test(type ?? '')) return
  const input = inputOf(item['arguments'] ?? item['input'] ?? item['action'])
  const text = [callText(name ?? type, input), textOf(item['summary'])].filter((each) => each !== undefined).join('\n')
  return messageBy(CODEX, 'tool_call', text, { tool: name ?? type, input })
}

function messageIn(item: JsonObject): TranscriptMessage | undefined {
  const content = item['content']
  const text = partsOf(typeof content === 'string' ? [content] : listOf(content))
    .map((part) => part.text)
    .join('\n\n')
  if (item['role'] === 'assistant') return messageBy(CODEX, 'text', text)
  if (item['role'] !== 'user') return messageBy(SYSTEM, 'system', text)
  return CONTEXT.test(text) ? messageBy(SYSTEM, 'context', text) : messageBy(USER, 'text', text)
}

const messageBy = (author: Person, kind: string, text: string, detail?: JsonObject): TranscriptMessage | undefined =>
  text.trim() === '' ? undefined : { author, kind, text: text.trim(), detail }

/** Arguments are JSON in a text. */
function inputOf(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

/** A result is a text, blocks, or a JSON text with an `output` member. */
function outputText(output: unknown): string {
  const content = typeof output === 'string' && output.startsWith('{') ? inputOf(output) : output
  const inner = typeof content === 'object' && content !== null && 'output' in content ? content.output : undefined
  return typeof inner === 'string' ? inner.toWellFormed() : resultText(typeof content === 'string' ? content : output)
}
