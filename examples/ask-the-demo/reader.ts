/**
 * Answers a question from the texts of tool results alone, because some hosts show nothing else to the model. It
 * searches once, reads more of the best hits as their texts suggest, and picks the passage that fits the question best.
 */
export type CallForText = (tool: string, args: object) => Promise<string>

export interface Answer {
  readonly passage: string
  /** The calls in the order they were made. */
  readonly calls: readonly string[]
}

interface Hit {
  readonly id: string
  readonly stream: string
  readonly title: string
  /** The field and the position of the match, if the text says that the excerpt is a part of a long text. */
  readonly more: { readonly field: string; readonly from: number } | undefined
}

const HITS_READ = 4
const PASSAGE_SENTENCES = 4
/** Characters to read before the match. */
const BEFORE = 1_500

export async function answer(question: string, callForText: CallForText): Promise<Answer> {
  const calls: string[] = []
  const call: CallForText = (tool, args) => {
    calls.push(`${tool} ${JSON.stringify(args)}`)
    return callForText(tool, args)
  }
  const found = await call('search', { query: question })
  const texts: string[] = []
  for (const hit of hitsOf(found).slice(0, HITS_READ)) texts.push(await readOn(hit, call))
  return { passage: bestPassage(question, texts), calls }
}

/** Format: `1. mail/messages:msg_1 · Wed 2026-02-11 17:01Z · … · "title"`, then indented lines of evidence. */
function hitsOf(text: string): Hit[] {
  return text.split(/\n(?=\d+\. )/).flatMap((entry) => {
    const id = /^\d+\. (\S+\/([\w.-]+):.*?) · /.exec(entry)
    if (!id) return []
    const more = /\[(\d+)-\d+ of [\d,]+ chars; read_record_field field_path="([^"]+)"/.exec(entry)
    const [, title = ''] = /^.* · "(.*)"(?:\n|$)/.exec(entry) ?? []
    return [{ id: id[1]!, stream: id[2]!, title, more: more ? { field: more[2]!, from: Number(more[1]) } : undefined }]
  })
}

/**
 * Reads a long text from BEFORE characters before the match, a chat message with its neighbours, and everything else
 * completely.
 */
async function readOn({ id, stream, title, more }: Hit, call: CallForText): Promise<string> {
  if (more) {
    const window = { id, field_path: more.field, offset_chars: Math.max(0, more.from - BEFORE) }
    return `${title}.\n${afterHeader(await call('read_record_field', window))}`
  }
  const isChat = stream === 'messages' && id.startsWith('chat/')
  if (isChat) return call('query_records', { stream, around: id, limit: 7 })
  const document = JSON.parse(await call('fetch', { id })) as { title: string; text: string }
  return `${document.title}.\n${document.text}`
}

const afterHeader = (text: string) => text.slice(text.indexOf('\n\n') + 2)

function bestPassage(question: string, texts: readonly string[]): string {
  const words = wordsOf(question).filter((word) => word.length > 2)
  const wantsNumber =
    /^(when|how (much|many|far|tall|deep|often)|at what time)|\b(cost|charge|pay|number|score)\b/i.test(question)
  const score = (passage: string, at: number) => {
    const present = new Set(wordsOf(passage))
    const shared = words.filter((word) => present.has(word)).length
    return shared + (wantsNumber && /\d/.test(passage) ? 1 : 0) - at / 10
  }
  const passages = texts.flatMap((text, at) =>
    passagesOf(text).map((passage) => ({ passage, score: score(passage, at) })),
  )
  return passages.sort((a, b) => b.score - a.score)[0]?.passage ?? ''
}

function passagesOf(text: string): string[] {
  const sentences = text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '')
  return sentences.map((_sentence, at) => sentences.slice(at, at + PASSAGE_SENTENCES).join(' '))
}

/** Words in lower case, without common English endings. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 4 ? word.replace(/(?:s|ed|ing)$/, '') : word,
  )
