const MAX_CHARS = 150
const MAX_EXTENSION = 16
/** Characters with a special meaning for file systems, shells or people, including hidden and bidirectional ones. */
const NEVER = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0/\\:*?"<>|%]/gu
/** Windows opens devices under these names, with any extension. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/csv': 'csv',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
}

/** Returns a name that is safe on every system and close to the requested one. */
export function safeFileName(requested: string | undefined, fallback: string, mimeType: string): string {
  const plain = (requested ?? '').normalize('NFC').toWellFormed().replace(NEVER, '_').replace(/\s+/g, ' ')
  const trimmed = plain.replace(/^[\s.]+|[\s.]+$/g, '')
  const name = /[^_.\s]/.test(trimmed) ? trimmed : withExtension(fallback, mimeType)
  return shortened(DEVICES.test(name) ? `_${name}` : name)
}

function withExtension(name: string, mimeType: string): string {
  const extension = EXTENSIONS[mimeType]
  return extension === undefined ? name : `${name}.${extension}`
}

/** Cuts the name but keeps the extension, which decides the program that opens the file. */
function shortened(name: string): string {
  const chars = [...name]
  if (chars.length <= MAX_CHARS) return name
  const point = chars.lastIndexOf('.')
  const end = point > 0 && chars.length - point <= MAX_EXTENSION ? chars.slice(point) : []
  return [...chars.slice(0, MAX_CHARS - end.length), ...end].join('')
}

/** RFC 6266: an ASCII name for old clients, and the real name (RFC 8187) for all others. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`
}
