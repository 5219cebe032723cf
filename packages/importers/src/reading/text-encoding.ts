import { isAscii, isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'
import type { ImportInput } from '../importer.ts'
import { readHead } from './input-bytes.ts'

/** A name that `TextDecoder` knows. */
export type TextEncoding = string

/** Can decode any file, because every byte is a letter in it. */
export const FALLBACK_ENCODING = 'windows-1252'

const SAMPLE_BYTES = 1_048_576
const ZEROS_OF_UTF16 = 0.3
/** Max. bytes that the detection gets. More bytes make it slower but not more certain. */
const GUESSED_BYTES = 65_536
/**
 * Percent. If a guess is below this, or this near to the next guess, the detection often takes Western European text
 * for another encoding.
 */
const MIN_CONFIDENCE = 40
const MIN_LEAD = 20
/** Fewer bytes beyond ASCII are not enough evidence. */
const MIN_LETTERS = 12

/**
 * Recognises the encoding by its byte order mark or its zero bytes, otherwise assumes UTF-8. Guesses only if the text
 * is not valid UTF-8.
 */
export function detectEncoding(head: Buffer): TextEncoding {
  const wide = utf16Of(head)
  if (wide !== undefined) return wide
  return isUtf8(withoutCutEnd(head)) ? 'utf-8' : guessed(head)
}

function utf16Of(head: Buffer): TextEncoding | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const zeros = zeroShare(head.subarray(0, 4096))
  if (zeros.odd > ZEROS_OF_UTF16 && zeros.even < 0.05) return 'utf-16le'
  return zeros.even > ZEROS_OF_UTF16 && zeros.odd < 0.05 ? 'utf-16be' : undefined
}

/** The most likely encoding if the guess is clear, otherwise the encoding that can decode every byte. */
function guessed(head: Buffer): TextEncoding {
  const sample = linesWithLetters(head)
  if (sample.filter((byte) => byte > 0x7f).length < MIN_LETTERS) return FALLBACK_ENCODING
  const [best, next] = analyse(sample)
  if (!best || best.confidence < MIN_CONFIDENCE || best.confidence - (next?.confidence ?? 0) < MIN_LEAD)
    return FALLBACK_ENCODING
  try {
    return new TextDecoder(best.name).encoding
  } catch {
    return FALLBACK_ENCODING
  }
}

/**
 * Keeps the lines with letters beyond ASCII, because plain ASCII lines say nothing about the encoding and would
 * outweigh the others.
 */
function linesWithLetters(head: Buffer): Buffer {
  const lines: Buffer[] = []
  let size = 0
  for (let from = 0; from < head.length && size < GUESSED_BYTES; ) {
    const end = head.indexOf(0x0a, from)
    const line = head.subarray(from, Math.min(end === -1 ? head.length : end + 1, from + GUESSED_BYTES))
    if (!isAscii(line)) {
      lines.push(line)
      size += line.length
    }
    from += line.length
  }
  return Buffer.concat(lines)
}

/** True if the bytes can be text. Real exports contain a few NULs; a picture is full of them. */
export function looksLikeText(head: Buffer): boolean {
  if (utf16Of(head) !== undefined) return true
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
  return detectEncoding(await bytesToDetect(input))
}

/** The beginning of an input, or, if that is plain ASCII, the part around the first byte beyond ASCII. */
async function bytesToDetect(input: ImportInput): Promise<Buffer> {
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

/** Decodes text in pieces, without a byte order mark. Bytes that cannot be decoded become U+FFFD. */
export async function* decodeText(input: ImportInput, encoding: TextEncoding): AsyncIterable<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of input.open()) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
