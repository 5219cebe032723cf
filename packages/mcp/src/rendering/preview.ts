import { previewChars } from '@pdpp/protocol/reading'
import { safeLine } from './safe-text.ts'

/** A name or a title on one line, cut where it can be seen. */
export function shortLine(text: string, chars: number): string {
  return previewChars(safeLine(text), chars)
}

/** A number as people write it. */
export const grouped = (value: number): string => value.toLocaleString('en-US')

/** `2026-02-11T17:01:53Z` as `2026-02-11 17:01`; a zone that is not UTC stays visible. */
export function shortTime(text: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text)
  if (!match) return shortLine(text, 40)
  const [, day, minute, zone] = match
  return `${day} ${minute}${zone === 'Z' || zone === undefined ? '' : zone}`
}

/** The same with its zone, for readers who cannot know which one is meant. */
export function zonedTime(text: string): string {
  const short = shortTime(text)
  return /T.*\dZ$/.test(text) && /:\d{2}$/.test(short) ? `${short}Z` : short
}

/** A time as `zonedTime` writes it, seconds kept where there are some; undefined for any other text. */
export function wholeTime(text: string): string | undefined {
  const [, day, minute, second, zone] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2}(?:\.\d+)?))?(Z|[+-]\d{2}:\d{2})$/.exec(text) ?? []
  if (day === undefined) return
  const kept = second === undefined || /^00(\.0+)?$/.test(second) ? '' : `:${second}`
  return `${day} ${minute}${kept}${zone}`
}

const BASE64 = /^(?:data:([\w.+-]+\/[\w.+-]+);base64,)?([A-Za-z0-9+/_-]{256,})={0,2}$/

/** A text that is bytes in disguise: what it is and how large, or undefined. */
export function binaryOf(text: string): { mediaType: string; bytes: number } | undefined {
  const match = BASE64.exec(text)
  if (!match) return
  return { mediaType: match[1] ?? 'application/octet-stream', bytes: Math.floor((match[2]!.length * 3) / 4) }
}
