import { readTime, type TimeForm } from '../../reading/times.ts'

const FORMS: readonly TimeForm[] = ['iso', 'ymd', 'named']

/** Reads a time in one of the unambiguous forms. A day begins at midnight in the zone. */
export function noteTime(value: unknown, zone = 'UTC'): string | undefined {
  if (typeof value !== 'string') return
  const text = value.trim().replace(/^@/, '').trim()
  for (const form of FORMS) {
    const time = readTime(form, text, zone)
    if (time) return time.isDate ? readTime('ymd', `${time.text} 00:00`, zone)?.text : time.text
  }
  return
}

/** The day in a name such as `2026-04-03 Garden`, the usual name of a daily note. */
export function dayInName(name: string, zone?: string): string | undefined {
  const day = /(?:^|[^\d])(\d{4}-\d{2}-\d{2})(?!\d)/.exec(name)?.[1]
  return day === undefined ? undefined : noteTime(day, zone)
}

/** `20260403T101500Z`, as iCalendar and Evernote write times. */
export function compactTime(text: string | undefined): string | undefined {
  const parts = /^\s*(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\s*$/.exec(text ?? '')
  return parts ? noteTime(`${parts.slice(1, 4).join('-')}T${parts.slice(4, 7).join(':')}Z`) : undefined
}

/** The instant as the clock of a zone shows it, for exports that store UTC and the zone separately. */
export function epochTime(form: TimeForm, digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : readTime(form, digits)?.text
}
