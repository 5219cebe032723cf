import { assistant, SYSTEM, tool, USER } from '../../models/conversation/ai-people.ts'
import type { Attachment, Person } from '../../models/conversation/records.ts'
import { count, type Fields, fields, list, present, string } from '../../reading/json-values.ts'

/** A file that a message refers to. */
export type FileReference = Attachment & { readonly fileId: string }

/** One message as the export has it, without its place in the tree. */
export interface Content {
  readonly author: Person
  readonly kind: string
  readonly text: string
  readonly files: readonly FileReference[]
  readonly links: readonly string[]
  readonly detail: Fields | undefined
}

const CONTEXT = new Set(['user_editable_context', 'model_editable_context'])
const THINKING = new Set(['thoughts', 'reasoning_recap'])
/** Marks of citations in answers. They stand for links that the metadata lists. */
const CITATION = /\u{E200}[^\u{E201}]*\u{E201}|[\u{E200}-\u{E2FF}]/gu

export function contentOf(message: Fields): Content {
  const [author, content, metadata] = [
    fields(message['author']),
    fields(message['content']),
    fields(message['metadata']),
  ]
  const type = string(content['content_type']) ?? 'text'
  const recipient = string(message['recipient'])
  const role = string(author['role']) ?? 'assistant'
  const isCall = role === 'assistant' && recipient !== undefined && recipient !== 'all'
  const detail = {
    model: string(metadata['model_slug']),
    tool: isCall ? recipient : undefined,
    language: type === 'code' ? string(content['language'])?.replace(/^unknown$/, '') || undefined : undefined,
    is_hidden: metadata['is_visually_hidden_from_conversation'] === true ? true : undefined,
    is_spoken: metadata['voice_mode_message'] === true ? true : undefined,
  }
  return {
    author: personOf(role, string(author['name'])),
    kind: CONTEXT.has(type)
      ? 'context'
      : THINKING.has(type)
        ? 'thinking'
        : isCall
          ? 'tool_call'
          : (KINDS[role] ?? 'text'),
    text: textOf(content).replace(CITATION, '').trim(),
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

/** Every content type has its text in other members. Those that are not known yet have it in one of the usual ones. */
function textOf(content: Fields): string {
  const parts = list(content['parts']).map((part) => (typeof part === 'string' ? part : string(fields(part)['text'])))
  const thoughts = list(content['thoughts']).map((thought) => lines(fields(thought), ['summary', 'content']))
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

const lines = (from: Fields, names: readonly string[]): string =>
  names
    .map((name) => string(from[name]))
    .filter((text) => text !== undefined)
    .join('\n')

/** Uploaded files are in the metadata, pictures and sound in the parts; many are in both. */
function filesOf(content: Fields, metadata: Fields): FileReference[] {
  const found = new Map<string, FileReference>()
  for (const each of list(metadata['attachments']).map(fields)) {
    const fileId = string(each['file_id']) ?? string(each['id'])
    if (fileId === undefined) continue
    const mediaType = string(each['mime_type']) ?? string(each['mimeType'])
    found.set(fileId, {
      fileId,
      filename: string(each['name']),
      mediaType,
      sizeBytes: count(each['size']),
      kind: 'file',
    })
  }
  const pointers = [...list(content['parts']), content['screenshot']].map(fields)
  for (const part of pointers.flatMap((each) => [each, fields(each['audio_asset_pointer'])])) {
    const fileId = string(part['asset_pointer'])?.replace(/^[a-z-]+:\/\//, '')
    if (fileId === undefined || found.has(fileId)) continue
    const kind = /^(image|audio|video)_/.exec(string(part['content_type']) ?? '')?.[1] ?? 'file'
    found.set(fileId, { fileId, sizeBytes: count(part['size_bytes']), kind: kind === 'image' ? 'photo' : kind })
  }
  return [...found.values()]
}

function linksOf(content: Fields, metadata: Fields): string[] {
  const cited = list(metadata['citations']).map((each) => fields(fields(each)['metadata'])['url'])
  const referred = list(metadata['content_references']).flatMap((each) => {
    const { url, safe_urls: urls, items } = fields(each)
    return [url, ...list(urls), ...list(items).map((item) => fields(item)['url'])]
  })
  return [content['url'], ...cited, ...referred].filter((url) => typeof url === 'string' && url !== '') as string[]
}
