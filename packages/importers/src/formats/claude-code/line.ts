import { assistant, SYSTEM, tool, USER } from '../../models/conversation/ai-people.ts'
import { type MessagePart, partsOf } from '../../models/conversation/content-blocks.ts'
import type { Attachment, Message, Person } from '../../models/conversation/records.ts'
import { blobOf } from '../../reading/blob.ts'
import { present } from '../../reading/json/json-members.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'
import { readTime } from '../../reading/times.ts'

/** Text that the program wrote in the user's name. */
const PROGRAM_TEXT =
  /^\s*<(?:system-reminder|environment_context|local-command-stdout|local-command-caveat|user-prompt-submit-hook)>/
const COMMAND = /^\s*<(?:command-name|command-message|bash-input)>/

const CLAUDE = assistant('Claude Code')
const SUBAGENT: Person = { id: 'subagent', name: 'Claude Code subagent', role: 'assistant' }

/** The messages in a line of a transcript: one for its text, and one for each thought, tool call and result. */
export function* messagesOf(
  line: JsonObject,
  id: string,
  toolNames: ReadonlyMap<string, string>,
): Iterable<Message & { readonly id: string }> {
  const message = objectOf(line['message'])
  const content = message['content'] ?? line['content']
  const blocks = typeof content === 'string' ? [content] : listOf(content)
  const parts = namedResults(blocks, toolNames)
  const attachments = picturesOf(blocks)
  if (parts.length === 0 && attachments.length > 0) parts.push({ kind: 'media', text: '', links: [] })
  const isUser = (message['role'] ?? line['type']) === 'user'
  for (const [at, part] of parts.entries()) {
    const kind = kindOf(line, part, isUser)
    yield {
      id: at === 0 ? id : `${id}/${at + 1}`,
      author: authorOf(line, part, kind, isUser),
      sentAt: readTime('iso', textOf(line['timestamp']) ?? '')?.text,
      kind,
      text: part.text === '' ? undefined : part.text,
      replyTo: at > 0 ? id : textOf(line['parentUuid']),
      links: part.links,
      attachments: at === 0 ? attachments : [],
      detail: present({
        ...part.detail,
        model: textOf(message['model']),
        agent: textOf(line['agentId']),
        project: isUser && kind === 'text' ? textOf(line['cwd']) : undefined,
        branch: isUser && kind === 'text' ? textOf(line['gitBranch']) : undefined,
      }),
    }
  }
}

function kindOf(line: JsonObject, part: MessagePart, isUser: boolean): string {
  if (line['isCompactSummary'] === true || line['type'] === 'summary') return 'summary'
  if (line['type'] === 'system') return 'system'
  if (part.kind !== 'text' || !isUser) return part.kind
  if (line['isMeta'] === true || PROGRAM_TEXT.test(part.text)) return 'context'
  return COMMAND.test(part.text) ? 'command' : 'text'
}

/** Claude Code, not the user, wrote the question for a subagent. */
function authorOf(line: JsonObject, part: MessagePart, kind: string, isUser: boolean): Person {
  if (kind === 'summary' || kind === 'system' || kind === 'context') return SYSTEM
  if (kind === 'tool_result') return tool(part.toolName)
  const isAside = line['isSidechain'] === true
  if (isUser) return isAside ? CLAUDE : USER
  return isAside ? SUBAGENT : CLAUDE
}

/** Adds the tool's name to results. A result names its call, and the call names the tool. */
function namedResults(blocks: readonly unknown[], toolNames: ReadonlyMap<string, string>): MessagePart[] {
  return partsOf(
    blocks.map((block) => {
      const name = toolNames.get(textOf(objectOf(block)['tool_use_id']) ?? '')
      return name === undefined ? block : { ...objectOf(block), name }
    }),
  )
}

/** The names of the tools that a line calls, by call id. */
export function* callsOf(line: JsonObject): Iterable<[string, string]> {
  for (const block of listOf(objectOf(line['message'])['content']).map(objectOf)) {
    const [id, name] = [textOf(block['id']), textOf(block['name'])]
    if (block['type'] === 'tool_use' && id !== undefined && name !== undefined) yield [id, name]
  }
}

/** Pictures that the user pasted or a tool returned. */
function picturesOf(blocks: readonly unknown[]): Attachment[] {
  const nested = blocks.flatMap((block) => listOf(objectOf(block)['content']))
  return [...blocks, ...nested].map(objectOf).flatMap((block) => {
    const source = objectOf(block['source'])
    const data = textOf(source['data'])
    if ((block['type'] !== 'image' && block['type'] !== 'document') || data === undefined) return []
    const mediaType = textOf(source['media_type']) ?? 'application/octet-stream'
    const kind = block['type'] === 'image' ? 'photo' : 'file'
    return [{ kind, mediaType, blob: blobOf('/blob_ref', Buffer.from(data, 'base64'), mediaType) }]
  })
}
