import type { Preview } from '../../authorization/consent/preview.ts'
import type { Review } from '../../authorization/consent/review.ts'
import { count, dayText } from '../frame/dates.ts'

/** The whole choice in one line: "3 sources, 14 streams, 48,210 records, until 1 March 2027". */
export function sumOf({ review, preview }: { review: Review; preview: Preview }): string {
  if (review.grants.length === 0) return 'Nothing is chosen yet.'
  const shared = [...preview.shared.values()]
  const total = shared.reduce((sum, one) => sum + one.count.value, 0)
  const exact = shared.every((one) => one.count.kind === 'exact')
  const unknown = shared.some((one) => one.count.kind === 'unknown')
  const records = `${unknown ? 'more than ' : exact ? '' : 'at most '}${amount(total, 'record')}`
  return `${amount(review.grants.length, 'source')}, ${amount(shared.length, 'stream')}, ${records}, ${endOf(review)}`
}

function endOf({ singleUse, expiresAt }: Review): string {
  if (singleUse) return 'once'
  return expiresAt === undefined ? 'until you end it' : `until ${dayText(Date.parse(expiresAt))}`
}

const amount = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`
