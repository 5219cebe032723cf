import {
  COMMON_REFUSAL_TEXTS,
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

const ELSEWHERE = 'Correct the file, or import it as a source of its own with --source <name>.'
const OTHER_NAME = 'Choose another name with --source.'

const flag = (name: OverrideName | undefined): string => (name === undefined ? '' : `--${name}: `)
const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

/** The message of the command for a refusal of an importer. */
const REFUSALS: RefusalTexts = {
  ...COMMON_REFUSAL_TEXTS,
  several_tables: ({ file, tables }) => ({
    message: `${file} has several tables: ${tables.join(', ')}.`,
    nextStep: 'Choose the one that you mean with --table.',
  }),
  fields_are_fixed: ({ overrides }) => ({
    message: `This kind of export has its own fields: ${overrides.map((name) => `--${name}`).join(', ')} cannot be used.`,
    nextStep: 'Leave them out, or import tables with another command.',
  }),
  other_kind_of_source: ({ source }) => ({
    message: `The source "${source}" is something else already.`,
    nextStep: OTHER_NAME,
  }),
  source_not_of_tables: ({ source }) => ({
    message: `The source "${source}" was not made by importing tables.`,
    nextStep: OTHER_NAME,
  }),
  connection_of_other_source: ({ connection, source }) => ({
    message: `The connection "${connection}" belongs to the source "${source}".`,
    nextStep: `Choose another name with --connection, or add --source ${source}.`,
  }),
  several_connections: ({ source, connections }) => ({
    message: `The source "${source}" has ${connections.length} connections.`,
    nextStep: `Say which one with --connection: ${connections.slice(0, 12).join(', ')}.`,
  }),
  unknown_column: ({ column, columns }, override) => ({
    message: `${flag(override)}there is no column "${column}".`,
    nextStep: `The columns are: ${columns.join(', ')}.`,
  }),
  not_a_time: ({ column, as }, override) => ({
    message: `${flag(override)}"${column}" was not recognised as a date or time; it is ${as}.`,
    nextStep: `Say how to read it: --type "${column}=date-time", or one of dmy, mdy, epoch-s, epoch-ms, mac, webkit.`,
  }),
  not_a_text: ({ column, as }, override) => ({
    message: `${flag(override)}"${column}" is ${as}, and only texts are searched.`,
    nextStep: `Leave it out, or keep it as text with --type "${column}=text".`,
  }),
  key_is_fixed: ({ stream, key }) => ({
    message: `The key of "${stream}" is ${key.join(', ')} and cannot change.`,
    nextStep: ELSEWHERE,
  }),
  type_is_fixed: ({ column, as, stream }) => ({
    message: `"${column}" is ${as} since the first import of "${stream}".`,
    nextStep: ELSEWHERE,
  }),
  zone_is_fixed: ({ field, zone, stream }) => ({
    message: `The times of "${field}" are read as ${zone} since the first import of "${stream}".`,
    nextStep: ELSEWHERE,
  }),
  key_is_missing: ({ stream, key }) => ({
    message: `The key of "${stream}" is missing from the file: ${key.join(', ')}.`,
    nextStep: ELSEWHERE,
  }),
  values_do_not_fit: ({ field, as, stream, unfit, values, example }) => ({
    message: `"${field}" was ${as} in earlier imports of "${stream}", and ${unfit} of ${values} values here are not: "${example}".`,
    nextStep: ELSEWHERE,
  }),
}

const NOTICES: NoticeTexts = {
  nearly_numbers: ({ column, unfit, values, example }) =>
    `"${column}" looks like numbers, but ${unfit} of ${values} values are not ("${example}"); it is kept as text. ` +
    `To read it as numbers: --type "${column}=number".`,
  nearly_dates: ({ column, unfit, values, example, type }) =>
    `"${column}" looks like dates, but ${unfit} of ${values} values are not ("${example}"); it is kept as text. ` +
    `To read it as dates: --type "${column}=${type}".`,
  day_or_month_first: ({ column, form }) =>
    `"${column}" may have the day or the month first; it is read as ${form === 'dmy' ? 'day first' : 'month first'}. ` +
    `Correct it with --type "${column}=${form === 'dmy' ? 'mdy' : 'dmy'}".`,
  no_time_zone: ({ column }) =>
    `"${column}" names no time zone; its times are read as UTC. Correct it with --zone, e.g. Europe/Berlin.`,
  local_times: ({ zone, isChosen }) =>
    `Times are without a zone in this export; they are read in ${zone}.${isChosen ? '' : ' Correct it with --zone, e.g. Europe/Berlin.'}`,
  key_not_unique: ({ field, repeated, rows }) =>
    `"${field}" is the key, but ${repeated} of ${rows} rows have none or that of another row: they are reported and left out. Name better columns with --key.`,
  no_key: ({ streams }) =>
    `No column names a row of ${quoted(streams)}, so the key is made from the whole row: a row that changes becomes a new record. Name better columns with --key.`,
  no_time: ({ streams }) =>
    `No time was found in ${quoted(streams)}: no grant can limit that to a period. Name one with --time.`,
}

/** An error with the words of the command. */
export function inWords(error: unknown): unknown {
  if (!(error instanceof ImportRefusal)) return error
  const { message, nextStep } = refusalText(REFUSALS, error.refusal)
  return new CommandFailure(EXIT.usage, message, nextStep)
}

/** Notices in words, each once. */
export const noticesText = (notices: readonly ImportNotice[]): string[] => [
  ...new Set(notices.map((notice) => noticeText(NOTICES, notice))),
]
