import { readTime, type TimeForm } from '../../reading/times.ts'

const FORMS: readonly TimeForm[] = ['iso', 'ymd', 'named']

/** A time in one of the clear forms, as an instant. A day begins at midnight of the zone. */
export function noteTime(value: unknown, zone = 'UTC'): string | undefined {
  if (typeof value !== 'string') return
  const text = value.trim().replace(/^@/, '').trim()
  for (const form of FORMS) {
    const time = readTime(form, text, zone)
    if (time) return time.isDate ? readTime('ymd', `${time.text} 00:00`, zone)?.text : time.text
  }
  return
}

/** The day in a name such as `2026-04-03 Garden`, as daily notes have it. */
export function dayInName(name: string, zone?: string): string | undefined {
  const day = /(?:^|[^\d])(\d{4}-\d{2}-\d{2})(?!\d)/.exec(name)?.[1]
  return day === undefined ? undefined : noteTime(day, zone)
}

/** `20260403T101500Z`, as iCalendar and Evernote write times. */
export function compactTime(text: string | undefined): string | undefined {
  const parts = /^\s*(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z\s*$/.exec(text ?? '')
  return parts ? noteTime(`${parts.slice(1, 4).join('-')}T${parts.slice(4, 7).join(':')}Z`) : undefined
}

/** An instant that a zone's clock shows, for exports that write UTC and the zone apart. */
export function epochTime(form: TimeForm, digits: string | undefined): string | undefined {
  return digits === undefined ? undefined : readTime(form, digits)?.text
}
