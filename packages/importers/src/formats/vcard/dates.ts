import { readTime } from '../../reading/times.ts'
import type { CardLine } from './lines.ts'
import { textOf } from './value.ts'

/** Apple writes this year for a birthday without a year. */
const NO_YEAR = '1604'

/** YYYY-MM-DD, or --MM-DD without a year. Undefined for any other text. */
export function birthdayOf(line: CardLine | undefined): string | undefined {
  const match = /^(\d{4}|--)-?(\d\d)-?(\d\d)(?:$|[T ])/.exec(line ? textOf(line) : '')
  if (!match) return
  const [, year, month, day] = match
  const omitted = line!.parameters.get('X-APPLE-OMIT-YEAR')?.[0]
  const hasYear = year !== '--' && year !== NO_YEAR && year !== omitted
  // Uses a leap year, so that 29 February is valid.
  if (readTime('ymd', `${hasYear ? year : 2024}-${month}-${day}`) === undefined) return
  return hasYear ? `${year}-${month}-${day}` : `--${month}-${day}`
}

/** Reads `20260102T030405Z`, with or without separators. */
export function updatedAt(text: string | undefined): string | undefined {
  const match = /^(\d{4})-?(\d\d)-?(\d\d)[T ](\d\d):?(\d\d):?(\d\d)(?:[.,]\d+)?\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(
    text ?? '',
  )
  if (!match) return
  const [, year, month, day, hour, minute, second, zone = 'Z'] = match
  return readTime('ymd', `${year}-${month}-${day} ${hour}:${minute}:${second}${zone.toUpperCase()}`)?.text
}
