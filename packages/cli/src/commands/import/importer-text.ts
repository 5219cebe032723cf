import {
  commonRefusalTexts,
  type ImportNotice,
  ImportRefusal,
  type NoticeTexts,
  noticeText,
  type OverrideName,
  type RefusalTexts,
  refusalText,
} from '@pdpp/importers'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure } from '../../terminal/failure.ts'

const ELSEWHERE = 'Correct the file, or import it as a separate source with --source <name>.'
const OTHER_NAME = 'Choose another name with --source.'

const flag = (name: OverrideName | undefined): string => (name === undefined ? '' : `--${name}: `)
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** The command's messages for refusals of importers. */
const REFUSALS: RefusalTexts = {
  ...commonRefusalTexts({ elsewhere: ELSEWHERE, otherName: OTHER_NAME }),
  several_tables: ({ file, tables }) => ({
    message: `${file} has several tables: ${tables.join(', ')}.`,
    nextStep: 'Choose one with --table.',
  }),
  fields_are_fixed: ({ overrides }) => ({
    message: `This export has fixed fields, so ${overrides.map((name) => `--${name}`).join(', ')} can't be used.`,
    nextStep: 'Leave them out, or import tables with a separate command.',
  }),
  connection_of_other_source: ({ connection, source }) => ({
    message: `The account "${connection}" belongs to the source "${source}".`,
    nextStep: `Choose another name with --connection, or add --source ${source}.`,
  }),
  several_connections: ({ source, connections }) => ({
    message: `The source "${source}" has ${connections.length} accounts.`,
    nextStep: `Say which one with --connection: ${connections.slice(0, 12).join(', ')}.`,
  }),
  unknown_column: ({ column, columns }, override) => ({
    message: `${flag(override)}there is no column "${column}".`,
    nextStep: `The columns are: ${columns.join(', ')}.`,
  }),
  not_a_time: ({ column, as }, override) => ({
    message: `${flag(override)}"${column}" is not a date or time, but ${as}.`,
    nextStep: `Say how to read it: --type "${column}=date-time", or one of dmy, mdy, epoch-s, epoch-ms, mac, webkit.`,
  }),
  not_a_text: ({ column, as }, override) => ({
    message: `${flag(override)}"${column}" is ${as}. Only text can be searched.`,
    nextStep: `Leave it out, or keep it as text with --type "${column}=text".`,
  }),
}

const NOTICES: NoticeTexts = {
  nearly_numbers: ({ column, unfit, values, example }) =>
    `"${column}" looks like numbers, but ${unfit} of ${values} values are not ("${example}"), so it stays text. ` +
    `To read it as numbers: --type "${column}=number".`,
  nearly_dates: ({ column, unfit, values, example, type }) =>
    `"${column}" looks like dates, but ${unfit} of ${values} values are not ("${example}"), so it stays text. ` +
    `To read it as dates: --type "${column}=${type}".`,
  day_or_month_first: ({ column, form }) =>
    `In "${column}" the day or the month may come first. It is read as ${form === 'dmy' ? 'day first' : 'month first'}. ` +
    `Correct it with --type "${column}=${form === 'dmy' ? 'mdy' : 'dmy'}".`,
  no_time_zone: ({ column }) =>
    `"${column}" has no time zone, so its times are read as UTC. Correct it with --zone, e.g. Europe/Berlin.`,
  local_times: ({ zone, isChosen }) =>
    `The times in this export have no zone, so they are read in ${zone}.${isChosen ? '' : ' Correct it with --zone, e.g. Europe/Berlin.'}`,
  key_not_unique: ({ field, repeated, rows }) =>
    `"${field}" is the key, but ${repeated} of ${rows} rows have no key or one that is used twice. They are skipped and listed. Name better columns with --key.`,
  no_key: ({ streams }) =>
    `${quoted(streams)} has no ID column, so each row is identified by its full content. If a row changes, it is added as a new item. Name ID columns with --key.`,
  no_time: ({ streams }) =>
    `${quoted(streams)} has no date column, so access to it can't be limited by date. Name one with --time.`,
}

/** Replaces a refusal with an error that has the command's message. */
export function withCommandText(error: unknown): unknown {
  if (!(error instanceof ImportRefusal)) return error
  const { message, nextStep } = refusalText(REFUSALS, error.refusal)
  return new CommandFailure(EXIT.usage, message, nextStep)
}

/** The texts of the notices, each once. */
export const noticesText = (notices: readonly ImportNotice[]): string[] => [
  ...new Set(notices.map((notice) => noticeText(NOTICES, notice))),
]
