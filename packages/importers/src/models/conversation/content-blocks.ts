import { present } from '../../reading/json/json-members.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'

/** A part of a message that becomes a record of its own. */
export interface MessagePart {
  /** text, thinking, tool_call or tool_result. */
  readonly kind: string
  readonly text: string
  readonly toolName?: string | undefined
  readonly detail?: JsonObject | undefined
  /** Addresses that the part cites. */
  readonly links: readonly string[]
}

/** Members of a tool's input that describe the call, in the order in which they are shown. */
const DESCRIPTIVE_MEMBERS =
  'title command cmd query pattern url file_path path description prompt content code new_str'.split(' ')

/**
 * The parts of a message whose content is a list of blocks, as Claude writes them: text, thinking, tool calls and tool
 * results. All texts together are the first part, so that a message is one record to read. The other parts follow in
 * their order.
 */
export function partsOf(content: readonly unknown[]): MessagePart[] {
  const blocks = content.map((block) => (typeof block === 'string' ? { type: 'text', text: block } : objectOf(block)))
  const texts = blocks.filter(isText)
  const text = texts.map(({ text }) => textOf(text)?.trim() ?? '').filter((each) => each !== '')
  const links = texts.flatMap(({ citations }) => listOf(citations).map((each) => textOf(objectOf(each)['url'])))
  const others = blocks.filter((block) => !isText(block)).map(otherPart)
  return [
    ...(text.length > 0
      ? [{ kind: 'text', text: text.join('\n\n'), links: links.filter((url) => url !== undefined) }]
      : []),
    ...others.filter((part) => part !== undefined),
  ]
}

const isText = ({ type }: JsonObject): boolean => type === 'text' || type === 'input_text' || type === 'output_text'

function otherPart(block: JsonObject): MessagePart | undefined {
  const type = textOf(block['type']) ?? 'unknown'
  const name = textOf(block['name'])
  if (type === 'thinking') return part('thinking', textOf(block['thinking']) ?? '')
  if (/tool_use$/.test(type))
    return part('tool_call', callText(name, block['input']), name, { tool: name, input: block['input'] })
  if (/tool_result$/.test(type))
    return part('tool_result', resultText(block['content']), name, {
      tool: name,
      is_error: block['is_error'] === true ? true : undefined,
    })
  // Pictures and files become attachments, and token budgets are not content.
  return /^(image|document|token_budget|redacted_thinking)$/.test(type) ? undefined : part(type, resultText(block))
}

function part(kind: string, text: string, toolName?: string, detail: JsonObject = {}): MessagePart | undefined {
  const trimmed = text.trim()
  return trimmed === '' ? undefined : { kind, text: trimmed, toolName, detail: present(detail), links: [] }
}

/** A tool call as people read it: the tool, and the task that it got. */
export function callText(name: string | undefined, input: unknown): string {
  const parts = typeof input === 'string' ? [input] : DESCRIPTIVE_MEMBERS.map((key) => textAt(objectOf(input)[key]))
  const texts = parts.filter((each) => each !== undefined)
  return [name ?? 'tool', ...(texts.length > 0 ? texts : [JSON.stringify(input ?? {})])].join('\n')
}

const textAt = (value: unknown): string | undefined =>
  textOf(value) ??
  (Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(' ') : undefined)

/** The text of a result: a text, or blocks with titles, addresses and texts. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return content.toWellFormed()
  if (Array.isArray(content))
    return content
      .map(resultText)
      .filter((text) => text !== '')
      .join('\n')
  const { title, url, text, content: inner } = objectOf(content)
  return [textOf(title), textOf(url), textOf(text), inner === undefined ? undefined : resultText(inner)]
    .filter((each) => each !== undefined && each !== '')
    .join('\n')
}
