import { isUtf8 } from 'node:buffer'
import { FALLBACK_ENCODING } from '../../reading/text-encoding.ts'
import type { CardLine } from './lines.ts'

const encodingOf = ({ parameters }: CardLine): string => (parameters.get('ENCODING')?.[0] ?? '').toUpperCase()

/** The value as it is written, without its transfer encoding. */
function decoded(line: CardLine): string {
  if (encodingOf(line) !== 'QUOTED-PRINTABLE') return line.value
  const raw = line.value.replace(/=\r?\n/g, '')
  const bytes = Buffer.from(
    // Letters beyond ASCII are not allowed here. If they occur, they are UTF-8.
    raw
      .replace(/[\u0080-\uffff]+/g, (letters) => Buffer.from(letters).toString('latin1'))
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
  return new TextDecoder(encodingFor(line.parameters.get('CHARSET')?.[0], bytes)).decode(bytes)
}

/** Cards name their encoding, but sometimes the wrong one. */
function encodingFor(charset: string | undefined, bytes: Buffer): string {
  try {
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return new TextDecoder(charset).encoding
  } catch {
    // The encoding is unknown.
  }
  return isUtf8(bytes) ? 'utf-8' : FALLBACK_ENCODING
}

/** Splits at separators that are not escaped, and removes escapes. Keeps empty parts. */
function split(value: string, separator: ';' | ','): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < value.length; at++) {
    if (value[at] !== separator) part += value[at] === '\\' ? value.slice(at, ++at + 1) : value[at]
    else {
      parts.push(part)
      part = ''
    }
  }
  parts.push(part)
  return parts.map(plain)
}

const plain = (text: string): string =>
  text
    .replace(/\\([\\;,:nN])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char))
    .replaceAll('\u0000', '')
    .replaceAll('\r\n', '\n')
    .toWellFormed()
    .trim()

export const textOf = (line: CardLine): string => plain(decoded(line))
export const partsOf = (line: CardLine): string[] => split(decoded(line), ';')
export const listOf = (line: CardLine): string[] => split(decoded(line), ',').filter((each) => each !== '')

/** A picture or similar data inside the card. Undefined if the card only contains an address. */
export function bytesOf(line: CardLine): { bytes: Buffer; mediaType: string | undefined } | undefined {
  const data = /^data:([^;,]*)(?:;[^,]*)?;base64,(.*)$/s.exec(line.value.replaceAll('\\,', ','))
  if (data) return { bytes: Buffer.from(data[2]!, 'base64'), mediaType: data[1] || undefined }
  if (!/^(?:B|BASE64)$/.test(encodingOf(line))) return
  const type = (line.parameters.get('MEDIATYPE') ?? line.parameters.get('TYPE'))?.[0]?.toLowerCase()
  const mediaType = type === undefined ? undefined : type.includes('/') ? type : `image/${type}`
  return { bytes: Buffer.from(line.value.replace(/\s/g, ''), 'base64'), mediaType }
}
