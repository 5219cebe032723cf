/** Types that browsers show without running any code in them. The protocol defines this list. */
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

/** Returns the media type in lower case without parameters. Anything invalid becomes the unknown type. */
export function mediaType(text: unknown): string {
  return (typeof text === 'string' && MEDIA_TYPE.exec(text.trim().toLowerCase())?.[1]) || UNKNOWN_TYPE
}

export const isShownInline = (type: string): boolean => INLINE.has(type)

const TEXTUAL =
  /^(text\/.+|message\/rfc822|application\/(json|xml|yaml|toml|x-ndjson|javascript|sql)|.+\+(json|xml|yaml))$/

/** True for text types, which are UTF-8 unless their bytes say otherwise. */
export const isTextual = (type: string): boolean => TEXTUAL.test(type)
