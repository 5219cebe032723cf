import { declaredFields, type StreamDeclaration } from '@pdpp/protocol'
import { html } from 'hono/html'
import { calendarDay, count, moment } from '../frame/dates.ts'
import { type FileLink, fileBlock, PICTURES } from '../frame/file-link.ts'
import { leftOut, type Markup, untrustedText } from '../frame/untrusted-text.ts'

const MAX_FIELDS = 300
/** Max. characters of one text, and of all texts on a page. */
const VALUE_CHARS = 20_000
const PAGE_CHARS = 400_000
/** Max. base64 characters of a picture that the page shows. */
const PICTURE_CHARS = 2_000_000

/** All fields: declared ones in their order, then the others. Fields without a value are listed at the end. */
export function fieldRows(
  stream: StreamDeclaration,
  data: Readonly<Record<string, unknown>>,
  fileLink: (field: string) => string,
  files: readonly FileLink[],
): Markup {
  const declared = [...declaredFields(stream).keys()]
  const names = [...new Set([...declared.filter((name) => Object.hasOwn(data, name)), ...Object.keys(data)])]
  const filled = names.filter((name) => !isEmpty(data[name]))
  const empty = names.filter((name) => isEmpty(data[name]))
  let left = PAGE_CHARS
  const rows = filled.slice(0, MAX_FIELDS).map((name) => {
    const limit = Math.max(200, Math.min(VALUE_CHARS, left))
    const value = data[name]
    left -= typeof value === 'string' ? Math.min(value.length, limit) : 0
    const own = files.filter(({ field }) => field === name)
    if (own.length > 0) return html`<dt>${untrustedText(name, 100)}</dt><dd>${own.map(fileBlock)}</dd>`
    return html`<dt>${untrustedText(name, 100)}</dt><dd>${fieldValue(schemaOf(stream, name), value, limit, fileLink(name))}</dd>`
  })
  const unshown = filled.length - rows.length
  return html`<dl class="fields">${rows}</dl>
${unshown > 0 ? html`<p class="small quiet">${count(unshown)} more fields are not shown here.</p>` : ''}
${empty.length > 0 ? html`<p class="small quiet">Without a value: ${empty.slice(0, 50).map((name, index) => html`${index === 0 ? '' : ', '}${untrustedText(name, 60)}`)}${empty.length > 50 ? ' …' : ''}</p>` : ''}`
}

function fieldValue(
  schema: Readonly<Record<string, unknown>>,
  value: unknown,
  limit: number,
  fileLink: string,
): Markup {
  if (typeof value === 'boolean') return html`<span class="value">${value ? 'yes' : 'no'}</span>`
  if (typeof value === 'string') {
    if (schema['contentEncoding'] === 'base64') return binary(schema, value, fileLink)
    return time(schema, value) ?? text(value, limit)
  }
  if (Array.isArray(value) && value.length <= 200 && value.every((item) => typeof item === 'string'))
    return text(value.join('\n'), limit)
  return text(JSON.stringify(value, null, 2), limit, typeof value === 'object' ? 'mono' : 'number')
}

function text(value: string, limit: number, kind = ''): Markup {
  const more = leftOut(value, limit)
  return html`<div class="value ${kind}">${untrustedText(value, limit)}</div>${more > 0 ? html`<p class="small quiet">${count(more)} more characters. Programs can read them in parts, see below.</p>` : ''}`
}

function time(schema: Readonly<Record<string, unknown>>, value: string): Markup | undefined {
  const at = Date.parse(value)
  if (Number.isNaN(at) || !/^\d{4}-\d\d-\d\d/.test(value)) return
  if (schema['format'] === 'date-time') return moment(at)
  return schema['format'] === 'date' ? calendarDay(value.slice(0, 10)) : undefined
}

function binary(schema: Readonly<Record<string, unknown>>, value: string, fileLink: string): Markup {
  const type = String(schema['contentMediaType'] ?? 'application/octet-stream')
  const size = html`<p class="small quiet">${untrustedText(type, 60)}, ${count(Math.floor((value.length * 3) / 4))} bytes${value === '' ? '' : html` · <a href="${fileLink}" download>Download</a>`}</p>`
  if (!PICTURES.has(type) || value.length > PICTURE_CHARS || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return size
  return html`<div class="value"><img src="data:${type};base64,${value}" alt="The picture in this field"></div>${size}`
}

function schemaOf(stream: StreamDeclaration, name: string): Readonly<Record<string, unknown>> {
  const properties = (stream.schema['properties'] ?? {}) as Record<string, Record<string, unknown>>
  return (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {}
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
