import { canonicalJson } from '../text/json.ts'
import type { SchemaRun } from './schema-run.ts'

/** Deep comparison of JSON values that counts its steps. */
export function isSame(a: unknown, b: unknown, run: SchemaRun): boolean {
  run.step()
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(b)
  run.step(names.length)
  if (Object.keys(a).length !== names.length) return false
  const [left, right] = [a, b] as Record<string, unknown>[]
  return names.every((name) => Object.hasOwn(left!, name) && isSame(left![name], right![name], run))
}

/** Finds duplicates through a set of texts, so that the cost is linear in the length of the list. */
export function hasTwice(list: readonly unknown[], run: SchemaRun): boolean {
  const seen = new Set<unknown>()
  for (const item of list) {
    const isObject = typeof item === 'object' && item !== null
    const form = isObject ? `{}${canonicalJson(item)}` : typeof item === 'string' ? `"${item}` : item
    run.step(isObject ? 1 + (form as string).length / 8 : 1)
    if (seen.has(form)) return true
    seen.add(form)
  }
  return false
}

/** Lengths are code points. They are only counted if the number of UTF-16 units does not decide. */
export function isLonger(text: string, max: number, run: SchemaRun): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  run.step(text.length / 32)
  return codePoints(text) > max
}

export function isShorter(text: string, min: number, run: SchemaRun): boolean {
  if (text.length < min) return true
  if (text.length >= 2 * min) return false
  run.step(text.length / 32)
  return codePoints(text) < min
}

function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length - 1; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (!isPair) continue
    count--
    at++
  }
  return count
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
