import { isUtf8 } from 'node:buffer'
import { textOf } from '../../reading/json-values.ts'

/**
 * Text as it was written. Facebook and Instagram write every byte of UTF-8 as a letter of its own (`JosÃ©` for `José`).
 * A text is mended only if all of it can be such bytes, because newer exports have right text.
 */
export function mended(value: unknown): string | undefined {
  const text = textOf(value)
  if (text === undefined || !/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}
