import { assistant, SYSTEM, tool, USER } from '../../models/conversation/ai-people.ts'
import type { Attachment, Person } from '../../models/conversation/records.ts'
import { countOf, present } from '../../reading/json/json-members.ts'
import { type JsonObject, listOf, objectOf, textOf } from '../../reading/json/json-values.ts'

/** A file that a message refers to. */
export type FileReference = Attachment & { readonly fileId: string }

/** One message as the export has it, without its place in the tree. */
export interface Content {
  readonly author: Person
  readonly kind: string
  readonly text: string
  readonly files: readonly FileReference[]
  readonly links: readonly string[]
  readonly detail: JsonObject | undefined
}

const CONTEXT = new Set(['user_editable_context', 'model_editable_context'])
const THINKING = new Set(['thoughts', 'reasoning_recap'])
/** Markers of citations in answers. They refer to links that the metadata lists. */
const CITATION = /\u{E200}[^\u{E201}]*\u{E201}|[\u{E200}-\u{E2FF}]/gu

export function contentOf(message: JsonObject): Content {
  const [author, content, metadata] = [
    objectOf(message['author']),
    objectOf(message['content']),
    objectOf(message['metadata']),
  ]
  const type = textOf(content['content_type']) ?? 'text'
  const recipient = textOf(message['recipient'])
  const role = textOf(author['role']) ?? 'assistant'
  const isCall = role === 'assistant' && recipient !== undefined && recipient !== 'all'
  const detail = {
    model: textOf(metadata['model_slug']),
    tool: isCall ? recipient : undefined,
    language: type === 'code' ? textOf(content['language'])?.replace(/^unknown$/, '') || undefined : undefined,
    is_hidden: metadata['is_visually_hidden_from_conversation'] === true ? true : undefined,
    is_spoken: metadata['voice_mode_message'] === true ? true : undefined,
  }
  return {
    author: personOf(role, textOf(author['name'])),
    kind: CONTEXT.has(type)
      ? 'context'
      : THINKING.has(type)
        ? 'thinking'
        : isCall
          ? 'tool_call'
          : (KINDS[role] ?? 'text'),
    text: wordsOf(content).replace(CITATION, '').trim(),
    files: filesOf(content, metadata),
    links: [...new Set(linksOf(content, metadata))],
    detail: present(detail),
  }
}

const KINDS: Readonly<Record<string, string>> = { tool: 'tool_result', system: 'system' }

function personOf(role: string, name: string | undefined): Person {
  if (role === 'user') return USER
  if (role === 'tool') return tool(name)
  return role === 'system' ? SYSTEM : assistant('ChatGPT')
}

/** Each content type keeps its text in a different member. For an unknown type, the usual members are tried. */
function wordsOf(content: JsonObject): string {
  const parts = listOf(content['parts']).map((part) =>
    typeof part === 'string' ? part : textOf(objectOf(part)['text']),
  )
  const thoughts = listOf(content['thoughts']).map((thought) => lines(objectOf(thought), ['summary', 'content']))
  const usual = [
    'title',
    'text',
    'result',
    'summary',
    'content',
    'user_profile',
    'user_instructions',
    'model_set_context',
  ]
  return [...parts, ...thoughts, lines(content, usual)].filter((text) => text !== undefined && text !== '').join('\n\n')
}

const lines = (from: JsonObject, names: readonly string[]): string =>
  names
    .map((name) => textOf(from[name]))
    .filter((text) => text !== undefined)
    .join('\n')

/** Uploaded files are in the metadata; pictures and sound are in the parts. Many files are in both. */
function filesOf(content: JsonObject, metadata: JsonObject): FileReference[] {
  const found = new Map<string, FileReference>()
  for (const each of listOf(metadata['attachments']).map(objectOf)) {
    const fileId = textOf(each['file_id']) ?? textOf(each['id'])
    if (fileId === undefined) continue
    const mediaType = textOf(each['mime_type']) ?? textOf(each['mimeType'])
    found.set(fileId, {
      fileId,
      filename: textOf(each['name']),
      mediaType,
      sizeBytes: countOf(each['size']),
      kind: 'file',
    })
  }
  const pointers = [...listOf(content['parts']), content['screenshot']].map(objectOf)
  for (const part of pointers.flatMap((each) => [each, objectOf(each['audio_asset_pointer'])])) {
    const fileId = textOf(part['asset_pointer'])?.replace(/^[a-z-]+:\/\//, '')
    if (fileId === undefined || found.has(fileId)) continue
    const kind = /^(image|audio|video)_/.exec(textOf(part['content_type']) ?? '')?.[1] ?? 'file'
    found.set(fileId, { fileId, sizeBytes: countOf(part['size_bytes']), kind: kind === 'image' ? 'photo' : kind })
  }
  return [...found.values()]
}

function linksOf(content: JsonObject, metadata: JsonObject): string[] {
  const cited = listOf(metadata['citations']).map((each) => objectOf(objectOf(each)['metadata'])['url'])
  const referred = listOf(metadata['content_references']).flatMap((each) => {
    const { url, safe_urls: urls, items } = objectOf(each)
    return [url, ...listOf(urls), ...listOf(items).map((item) => objectOf(item)['url'])]
  })
  return [content['url'], ...cited, ...referred].filter((url) => typeof url === 'string' && url !== '') as string[]
}
