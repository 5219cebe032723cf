import type { CalendarOfEvent } from './event.ts'
import { type Properties, textOf } from './properties.ts'

const recurrenceOf = ({ component }: Properties): string | null =>
  component
    .getAllProperties('rrule')
    .map((property) => textOf(property.getFirstValue()))
    .join('\n') || null

export function taskData(properties: Properties, id: string, calendar: CalendarOfEvent) {
  const due = properties.moment('due')
  return {
    id,
    calendar_id: calendar.id,
    calendar: calendar.name ?? null,
    title: properties.text('summary'),
    description: properties.text('description'),
    location: properties.text('location'),
    due_at: due?.instant ?? null,
    due_date: due?.date ?? null,
    starts_at: properties.instant('dtstart'),
    completed_at: properties.instant('completed'),
    status: properties.lower('status'),
    percent: properties.integer('percent-complete'),
    priority: properties.integer('priority'),
    recurrence: recurrenceOf(properties),
    categories: properties.list('categories'),
    url: properties.text('url'),
    created_at: properties.instant('created'),
    updated_at: properties.instant('last-modified') ?? properties.instant('created'),
    detail: properties.detail(),
  }
}

export function journalData(properties: Properties, id: string, calendar: CalendarOfEvent) {
  const day = properties.moment('dtstart')
  return {
    id,
    calendar_id: calendar.id,
    calendar: calendar.name ?? null,
    title: properties.text('summary'),
    text: properties.text('description'),
    written_at: day?.instant ?? null,
    date: day?.date ?? null,
    categories: properties.list('categories'),
    updated_at: properties.instant('last-modified') ?? properties.instant('created'),
    detail: properties.detail(),
  }
}
