/** Max. characters of front matter that are parsed. */
const MAX_FRONT_CHARS = 65_536
const FRONT = /^\uFEFF?---[ \t]*\r?\n/
const FRONT_END = /\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const WIKI_LINK = /(!?)\[\[([^[\]\n]{1,500})\]\]/g
const LINK =
  /(!?)\[([^[\]\n]{0,500})\]\((?:<([^<>\n]{1,2000})>|([^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?))(?:\s{1,20}["'][^"'\n]{0,500}["'])?\)/g
const WEB_ADDRESS = /https?:\/\/[^\s<>()[\]"'`]{1,2000}/g
const TAG = /(?:^|[\s,;])#([\p{L}\p{M}\p{N}_/-]{1,100})/gu
const TASK = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])\s{1,20}\[([ xX/-])\]\s{1,20}(\S.*)$/gm

export interface MarkdownLink {
  /** `note`: a wikilink. `file`: a path. `web`: a web address or the address of another program. */
  readonly kind: 'note' | 'file' | 'web'
  readonly target: string
  readonly label?: string | undefined
  /** True if it is shown within the text, like a picture. */
  readonly isEmbedded: boolean
}

export interface MarkdownText {
  readonly front: Readonly<Record<string, unknown>>
  readonly frontProblem?: string | undefined
  /** The text without front matter. */
  readonly body: string
  /** The first level-1 heading. */
  readonly heading?: string | undefined
  readonly links: readonly MarkdownLink[]
  readonly tags: readonly string[]
  readonly tasks: readonly { readonly text: string; readonly isDone: boolean }[]
}

/** Reads a note in Markdown with its front matter. */
export async function readMarkdown(text: string): Promise<MarkdownText> {
  const { front, body, problem } = await frontMatter(text)
  return { ...readMarkdownBody(body, front), frontProblem: problem }
}

/** Reads Markdown without front matter. Links, tags and tasks inside code do not count. */
export function readMarkdownBody(body: string, front: Readonly<Record<string, unknown>> = {}): MarkdownText {
  const prose = withoutCode(body)
  return {
    front,
    body: body.trim(),
    heading: /^#\s+(.{1,500}?)\s*#*\s*$/m.exec(prose)?.[1],
    links: linksOf(prose),
    tags: [...new Set([...frontTags(front), ...proseTags(prose)])],
    tasks: [...prose.matchAll(TASK)].map((match) => ({ text: match[2]!.trim(), isDone: /x/i.test(match[1]!) })),
  }
}

async function frontMatter(text: string): Promise<{ front: Record<string, unknown>; body: string; problem?: string }> {
  const start = FRONT.exec(text)
  if (!start) return { front: {}, body: text.replace(/^\uFEFF/, '') }
  const rest = text.slice(start[0].length - 1, start[0].length + MAX_FRONT_CHARS)
  const end = FRONT_END.exec(rest)
  // A line of dashes at the top without a closing line is a horizontal rule, not front matter.
  if (!end) return { front: {}, body: text }
  const body = text.slice(start[0].length - 1 + end.index + end[0].length)
  const { parse } = await import('yaml')
  try {
    const front: unknown = parse(rest.slice(0, end.index), { logLevel: 'error', uniqueKeys: false, maxAliasCount: 50 })
    if (front === null || front === undefined) return { front: {}, body }
    if (typeof front !== 'object' || Array.isArray(front)) return { front: {}, body: text }
    return { front: JSON.parse(JSON.stringify(front)) as Record<string, unknown>, body }
  } catch (error) {
    const reason = (error as Error).message.split('\n', 1)[0]!.slice(0, 120)
    return { front: {}, body: text, problem: `has front matter that is not YAML: ${reason}` }
  }
}

/** Replaces code with spaces, so that positions and lines stay the same. */
function withoutCode(body: string): string {
  let fence: string | undefined
  return (
    body
      .split('\n')
      .map((line) => {
        const mark = /^\s{0,12}(`{3,}|~{3,})/.exec(line)?.[1]
        if (fence !== undefined) {
          if (mark?.startsWith(fence)) fence = undefined
          return ''
        }
        if (mark !== undefined) {
          fence = mark
          return ''
        }
        return line
      })
      .join('\n')
      // Inline code may continue on the next line, but not across an empty line.
      .replace(/(`{1,10})(?:[^`\n]|\n(?!\s*\n)){1,2000}?\1/g, ' ')
  )
}

function linksOf(prose: string): MarkdownLink[] {
  const found = new Map<string, MarkdownLink>()
  const add = (link: MarkdownLink) => {
    const key = `${link.kind} ${link.isEmbedded} ${link.target}`
    if (!found.has(key)) found.set(key, link)
  }
  for (const [, mark, inside] of prose.matchAll(WIKI_LINK)) {
    const [target = '', label] = inside!.split('|', 2)
    const note = target.split('#', 1)[0]!.trim()
    // `[[#Heading]]` links to a place in the same note.
    if (note !== '') add({ kind: 'note', target: note, label: label?.trim(), isEmbedded: mark === '!' })
  }
  for (const [, mark, label, quoted, plain] of prose.matchAll(LINK)) {
    const target = (quoted ?? plain)!
    const isEmbedded = mark === '!'
    if (target.startsWith('#')) continue
    if (/^[a-z][a-z0-9+.-]{1,20}:/i.test(target)) add({ kind: 'web', target, label, isEmbedded })
    else add({ kind: 'file', target: unescaped(target.split('#', 1)[0]!), label, isEmbedded })
  }
  for (const [address] of prose.matchAll(WEB_ADDRESS)) {
    const target = address.replace(/[.,;:!?*_]+$/, '')
    if (![true, false].some((isEmbedded) => found.has(`web ${isEmbedded} ${target}`)))
      add({ kind: 'web', target, isEmbedded: false })
  }
  return [...found.values()]
}

/** Decodes `My%20page.md`. A name with a single percent sign stays as it is. */
export function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Accepts `tags: [a, b]`, `tags: a, b` and `tag: a`. */
function frontTags(front: Readonly<Record<string, unknown>>): string[] {
  return ['tags', 'tag', 'keywords'].flatMap((name) => textsOf(front[name])).map((tag) => tag.replace(/^#/, ''))
}

/** The texts of a value that is a list or a line with commas. */
export function textsOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  return values
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map((each) => String(each).trim())
    .filter((each) => each !== '')
}

/** An indented line that begins with the sign is code. */
const proseTags = (prose: string): string[] =>
  [...prose.replace(/^(?: {4}|\t)\s{0,20}#.*$/gm, '').matchAll(TAG)]
    .map((match) => match[1]!.replace(/[/-]+$/, ''))
    .filter((tag) => /[^\d/-]/.test(tag))
