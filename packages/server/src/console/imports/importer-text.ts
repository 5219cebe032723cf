import {
  commonRefusalTexts,
  type ImportNotice,
  type NoticeTexts,
  noticeText,
  type OverrideName,
  type RefusalText,
  type RefusalTexts,
  refusalText,
} from '@pdpp/importers'
import type { Failure } from '../../imports/import.ts'

/** The labels of the fields in the form. */
const LABELS: Record<OverrideName, string> = {
  source: 'Source',
  connection: 'Account',
  stream: 'Part',
  table: 'Tables',
  header: 'The first row is data',
  key: 'Key',
  time: 'Time',
  text: 'Searched',
  title: 'Title',
  type: 'Read as',
  zone: 'Time zone',
}

const below = (name: OverrideName): string => `“${LABELS[name]}” below`
const about = (name: OverrideName | undefined): string => (name === undefined ? '' : `${LABELS[name]}: `)
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

const ELSEWHERE = `Correct the file, or import it as a separate source: write another name into ${below('source')}.`
const OTHER_NAME = `Write another name into ${below('source')}.`

/** The console's messages for refusals of importers. */
const REFUSALS: RefusalTexts = {
  ...commonRefusalTexts({ elsewhere: ELSEWHERE, otherName: OTHER_NAME }),
  several_tables: ({ file, tables }) => ({
    message: `${file} has several tables: ${tables.join(', ')}.`,
    nextStep: `Tick only one at ${below('table')}.`,
  }),
  fields_are_fixed: ({ overrides }) => ({
    message: `This export has fixed fields, so ${overrides.map((name) => `“${LABELS[name]}”`).join(', ')} can't be changed.`,
    nextStep: 'Leave them as they are, or import tables separately.',
  }),
  connection_of_other_source: ({ connection, source }) => ({
    message: `The account "${connection}" belongs to the source "${source}".`,
    nextStep: `Choose another one at ${below('connection')}, or write ${source} into ${below('source')}.`,
  }),
  several_connections: ({ source, connections }) => ({
    message: `The source "${source}" has ${connections.length} accounts.`,
    nextStep: `Choose one at ${below('connection')}: ${connections.slice(0, 12).join(', ')}.`,
  }),
  unknown_column: ({ column, columns }, override) => ({
    message: `${about(override)}there is no column "${column}".`,
    nextStep: `The columns are: ${columns.join(', ')}.`,
  }),
  not_a_time: ({ column, as }, override) => ({
    message: `${about(override)}"${column}" is not a date or time, but ${as}.`,
    nextStep: `Choose how to read it at ${below('type')}: date-time, dmy, mdy, epoch-s, epoch-ms, mac or webkit.`,
  }),
  not_a_text: ({ column, as }, override) => ({
    message: `${about(override)}"${column}" is ${as}. Only text can be searched.`,
    nextStep: `Leave it out, or choose text at ${below('type')}.`,
  }),
}

const NOTICES: NoticeTexts = {
  nearly_numbers: ({ column, unfit, values, example }) =>
    `"${column}" looks like numbers, but ${unfit} of ${values} values are not ("${example}"), so it stays text. To read it as numbers, choose number at ${below('type')}.`,
  nearly_dates: ({ column, unfit, values, example, type }) =>
    `"${column}" looks like dates, but ${unfit} of ${values} values are not ("${example}"), so it stays text. To read it as dates, choose ${type} at ${below('type')}.`,
  day_or_month_first: ({ column, form }) =>
    `In "${column}" the day or the month may come first. It is read as ${form === 'dmy' ? 'day first' : 'month first'}. If that is wrong, choose ${form === 'dmy' ? 'mdy' : 'dmy'} at ${below('type')}.`,
  no_time_zone: ({ column }) =>
    `"${column}" has no time zone, so its times are read as UTC. If that is wrong, write a zone such as Europe/Berlin into ${below('zone')}.`,
  local_times: ({ zone, isChosen }) =>
    isChosen
      ? `The times in this export have no zone, so they are read in ${zone}.`
      : `The times in this export have no zone, so they are read in ${zone}. If that is wrong, write a zone such as Europe/Berlin into ${below('zone')}.`,
  key_not_unique: ({ field, repeated, rows }) =>
    `"${field}" is the key, but ${repeated} of ${rows} rows have no key or one that is used twice. They are skipped and listed. Tick better columns at ${below('key')}.`,
  no_key: ({ streams }) =>
    `${quoted(streams)} has no ID column, so each row is identified by its full content. If a row changes, it is added as a new item. Tick ID columns at ${below('key')}.`,
  no_time: ({ streams }) =>
    `${quoted(streams)} has no date column, so access to it can't be limited by date. Choose one at ${below('time')}.`,
}

/** Imports of earlier versions stored sentences, which are shown unchanged. */
export const failureText = (failure: Failure): RefusalText =>
  'refusal' in failure ? refusalText(REFUSALS, failure.refusal) : failure

/** The texts of the notices, each once. */
export const noticesText = (notices: readonly ImportNotice[]): string[] => [
  ...new Set(notices.map((notice) => noticeText(NOTICES, notice))),
]
