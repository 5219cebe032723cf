import { isUtf8 } from 'node:buffer'
import { textOf } from './json/json-values.ts'

/**
 * Repairs broken text. Facebook and Instagram write every byte of UTF-8 as a separate letter (`JosÃ©` for `José`). A
 * text is changed only if all of its characters can be such bytes, because newer exports are correct.
 */
export function repairedText(value: unknown): string | undefined {
  const text = textOf(value)
  if (text === undefined || !/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : text
}

/** Repairs all texts in a JSON value. Returns the value itself if nothing is broken. */
export function repairedValue(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : repairedText(value)
  if (Array.isArray(value)) return changed(value, value.map(repairedValue))
  // Raw numbers are objects, too, and must stay as they are.
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value
  const entries = Object.entries(value)
  const after = entries.map(([, each]) => repairedValue(each))
  if (entries.every(([, each], at) => each === after[at])) return value
  const result: Record<string, unknown> = Object.create(null)
  for (const [at, [name]] of entries.entries()) result[name] = after[at]
  return result
}

const changed = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((each, at) => each === before[at]) ? before : after
