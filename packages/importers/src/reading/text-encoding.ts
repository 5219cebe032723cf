import { isAscii, isUtf8 } from 'node:buffer'
import type { ImportInput } from '../importer.ts'
import { readHead } from './input-bytes.ts'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const SAMPLE_BYTES = 1_048_576
const ZEROS_OF_UTF16 = 0.3

/** By its mark, by its zeros, else UTF-8; and what is not that is read as windows-1252, in which every byte is a letter. */
export function detectEncoding(head: Buffer): TextEncoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = zeroShare(head.subarray(0, 4096))
  if (zeros.odd > ZEROS_OF_UTF16 && zeros.even < 0.05) return 'utf-16le'
  if (zeros.even > ZEROS_OF_UTF16 && zeros.odd < 0.05) return 'utf-16be'
  return isUtf8(withoutCutEnd(head)) ? 'utf-8' : 'windows-1252'
}

/** Whether the bytes can be text at all. A few NULs occur in real exports; a picture is full of them. */
export function looksLikeText(head: Buffer): boolean {
  if (detectEncoding(head).startsWith('utf-16')) return true
  const sample = head.subarray(0, 8192)
  let control = 0
  for (const byte of sample) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12) control++
  return sample.length === 0 || control / sample.length < 0.02
}

/** A sample that ends inside a character is still UTF-8. */
function withoutCutEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
    if (byte < 0x80) break
  }
  return bytes
}

function zeroShare(bytes: Buffer): { even: number; odd: number } {
  const count = { even: 0, odd: 0 }
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) count[at % 2 === 0 ? 'even' : 'odd']++
  const half = Math.max(1, bytes.length / 2)
  return { even: count.even / half, odd: count.odd / half }
}

export async function encodingOf(input: ImportInput): Promise<TextEncoding> {
  return detectEncoding(await tellingBytes(input))
}

/** The beginning of an input; where that has plain letters alone, the place of the first one that tells more. */
async function tellingBytes(input: ImportInput): Promise<Buffer> {
  const head = await readHead(input, SAMPLE_BYTES)
  if (head.length < SAMPLE_BYTES || !isAscii(head)) return head
  const held: Uint8Array[] = []
  let size = 0
  for await (const chunk of input.open()) {
    if (size === 0 && isAscii(chunk)) continue
    held.push(chunk)
    size += chunk.length
    if (size >= SAMPLE_BYTES) break
  }
  return size === 0 ? head : Buffer.concat(held)
}

/** Text in pieces, without a byte order mark. What cannot be decoded becomes U+FFFD. */
export async function* decodeText(input: ImportInput, encoding: TextEncoding): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of input.open()) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
