import { isUtf8 } from 'node:buffer'
import { detectEncoding } from '../../reading/text-encoding.ts'

const HEADERS_END = /\r?\n\r?\n/
const NAMES_CHARSET = /\bcharset\b/i
/** Bytes of a file that is in the mail as it is. They are not letters. */
const HAS_RAW_FILE = /^content-transfer-encoding:[ \t]*binary|\0/im

/**
 * Old programs wrote letters such as `ü` into headers, and into mails that name no encoding. A parser takes them for
 * UTF-8 and loses them. This returns the mail with these letters in UTF-8, in their most likely encoding.
 */
export function withReadableLetters(bytes: Buffer): Buffer {
  if (isUtf8(bytes)) return bytes
  const text = bytes.toString('latin1')
  const end = HEADERS_END.exec(text)?.index ?? bytes.length
  const body = bytes.subarray(end)
  const isUnnamed = !NAMES_CHARSET.test(text) && !HAS_RAW_FILE.test(text)
  return Buffer.concat([asUtf8(bytes.subarray(0, end)), isUnnamed ? asUtf8(body) : body])
}

const asUtf8 = (bytes: Buffer): Buffer =>
  isUtf8(bytes) ? bytes : Buffer.from(new TextDecoder(detectEncoding(bytes)).decode(bytes))
