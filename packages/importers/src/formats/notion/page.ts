import type { NoteLink, NoteTask } from '../../models/note/records.ts'
import { noteTime } from '../../models/note/times.ts'
import { htmlText } from '../../text/html-text.ts'
import { readMarkdownBody, unescaped } from '../../text/markdown.ts'

/** A page of Notion from a Markdown or an HTML export. */
export interface NotionPage {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly text: string
  readonly properties: Readonly<Record<string, string>>
  readonly links: readonly NoteLink[]
  readonly tasks: readonly NoteTask[]
  /** Paths that the page names, relative to its file: other pages, tables and files. */
  readonly paths: readonly { readonly path: string; readonly label?: string | undefined }[]
}

/** Parses the title from the first heading, then a block of `Key: value` lines, then the text. */
export function markdownPage(text: string): NotionPage {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const title = /^# (.*)$/.exec(lines[0] ?? '')?.[1]
  let at = title === undefined ? 0 : 1
  while (lines[at] === '') at++
  const properties: Record<string, string> = {}
  for (let from = at; lines[from] !== undefined && lines[from] !== ''; from++) {
    const [, key, value] = /^([^:\n]{1,100}): (.*)$/.exec(lines[from]!) ?? []
    // If one line of the block is different, the block is text.
    if (key === undefined) break
    properties[key] = value!
    if ((lines[from + 1] ?? '') === '') at = from + 1
  }
  const isBlock = at > 1 && Object.keys(properties).length > 0 && (lines[at] ?? '') === ''
  const body = lines.slice(isBlock ? at : title === undefined ? 0 : 1).join('\n')
  const markdown = readMarkdownBody(body)
  return {
    title,
    text: body.trim(),
    properties: isBlock ? properties : {},
    links: markdown.links.filter(({ kind }) => kind === 'web'),
    tasks: markdown.tasks,
    paths: markdown.links.flatMap(({ kind, target, label }) => (kind === 'web' ? [] : [{ path: target, label }])),
  }
}

const ATTRIBUTE =
  /<(?:a|img|source|video|audio)\b[^<>]{0,2000}?(?:href|src)\s*=\s*"([^"<>]{1,4000})"[^<>]{0,2000}>([^<>]{0,500})/g
const PROPERTY = /<tr class="property-row[^"]{0,100}"><th>([\s\S]{0,2000}?)<\/th><td>([\s\S]{0,20000}?)<\/td><\/tr>/g
const TASK = /<div class="checkbox checkbox-(on|off)"><\/div>\s*<span[^<>]{0,500}>([\s\S]{0,2000}?)<\/span>/g

/** A page of the HTML export: an article with a header and a body. */
export function htmlPage(html: string): NotionPage {
  const id = /<article id="([0-9a-f-]{36})"/.exec(html)?.[1]?.replaceAll('-', '')
  const start = html.indexOf('<div class="page-body">')
  const [head, body] = start === -1 ? ['', html] : [html.slice(0, start), html.slice(start)]
  const title = /<h1 class="page-title"[^<>]{0,500}>([\s\S]{0,2000}?)<\/h1>/.exec(head)?.[1]
  const properties = Object.fromEntries(
    [...head.matchAll(PROPERTY)].flatMap(([, key, value]) => {
      const text = propertyText(value!)
      return text === '' ? [] : [[htmlText(key!), text]]
    }),
  )
  const named = [...body.matchAll(ATTRIBUTE)].map(([, address, words]) => ({
    address: htmlText(address!),
    label: htmlText(words!) || undefined,
  }))
  const isWeb = ({ address }: { address: string }) => /^[a-z][a-z0-9+.-]{1,20}:/i.test(address)
  return {
    id,
    title: title && htmlText(title),
    text: htmlText(
      body
        .replace(/<div class="checkbox checkbox-on"><\/div>/g, '[x] ')
        .replace(/<div class="checkbox checkbox-off"><\/div>/g, '[ ] '),
    ),
    properties,
    links: unique(named.filter(isWeb).map(({ address, label }) => ({ kind: 'web', target: address, label }))),
    tasks: [...body.matchAll(TASK)].map(([, state, words]) => ({ text: htmlText(words!), isDone: state === 'on' })),
    paths: named
      .filter((link) => !isWeb(link) && !link.address.startsWith('#'))
      .map(({ address, label }) => ({ path: unescaped(address.split('#', 1)[0]!), label })),
  }
}

function propertyText(html: string): string {
  if (html.includes('checkbox-on')) return 'Yes'
  if (html.includes('checkbox-off')) return 'No'
  const chosen = [...html.matchAll(/<span class="selected-value[^<>]{0,200}>([^<>]{0,500})/g)].map(([, text]) =>
    htmlText(text!),
  )
  return chosen.length > 0 ? chosen.join(', ') : htmlText(html)
}

const unique = (links: readonly NoteLink[]): NoteLink[] => [
  ...new Map(links.map((link) => [link.target, link])).values(),
]

/** The times of a page, from its properties, which people can name freely, or from its title. */
export function pageTimes(
  title: string | undefined,
  properties: Readonly<Record<string, string>>,
  zone: string | undefined,
): { notedAt?: string | undefined; createdAt?: string | undefined; updatedAt?: string | undefined } {
  // For a time span, the start counts.
  const time = (value: string | undefined) =>
    noteTime(value?.split(' → ', 1)[0]?.replace(/\s*\([A-Z]{2,5}\)$/, ''), zone)
  const named = (name: RegExp) =>
    Object.entries(properties)
      .filter(([key]) => name.test(key))
      .map(([, value]) => time(value))
      .find((found) => found !== undefined)
  const createdAt = named(/^created( time| at| on)?$/i)
  const updatedAt = named(/^(last edited( time)?|updated( at| on)?)$/i)
  return { notedAt: time(title) ?? named(/^date$/i) ?? named(/date|day|when/i), createdAt, updatedAt }
}
