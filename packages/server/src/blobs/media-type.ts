/** Types that browsers show without running anything of them; the list of the common contract. */
const INLINE = new Set([
  'application/pdf',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'image/x-icon',
])
const TOKEN = '[a-z0-9][a-z0-9!#$&^_.+-]{0,80}'
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})\\s*(?:;|$)`)

export const UNKNOWN_TYPE = 'application/octet-stream'

/** Without parameters and in lower case; what is no media type is one that says nothing. */
export function mediaType(text: unknown): string {
  return (typeof text === 'string' && MEDIA_TYPE.exec(text.trim().toLowerCase())?.[1]) || UNKNOWN_TYPE
}

export const isShownInline = (type: string): boolean => INLINE.has(type)

const TEXTUAL =
  /^(text\/.+|message\/rfc822|application\/(json|xml|yaml|toml|x-ndjson|javascript|sql)|.+\+(json|xml|yaml))$/

/** Types that are written, as UTF-8 unless their bytes say otherwise. */
export const isTextual = (type: string): boolean => TEXTUAL.test(type)
