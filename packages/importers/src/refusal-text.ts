import type { RefusalCode, RefusalTexts } from './refusal.ts'

const KINDS = 'Tables (CSV, TSV, JSON, JSONL, SQLite), mail, and the exports listed in docs/importers can be imported.'

type CommonCode = Extract<
  RefusalCode,
  | 'no_files'
  | 'nothing_known'
  | 'file_changed'
  | 'no_rows'
  | 'database_without_path'
  | 'database_in_use'
  | 'database_unreadable'
  | 'unknown_type'
  | 'other_kind_of_source'
  | 'source_not_of_tables'
  | 'key_is_fixed'
  | 'type_is_fixed'
  | 'zone_is_fixed'
  | 'key_is_missing'
  | 'values_do_not_fit'
>

/** The steps on this surface that several refusals suggest. */
export interface NextSteps {
  /** How to import the file as a new source. */
  readonly elsewhere: string
  /** How to choose another name for the source. */
  readonly otherName: string
}

/** Refusals whose text is the same on every surface, except for the next step. */
export const commonRefusalTexts = ({ elsewhere, otherName }: NextSteps): Pick<RefusalTexts, CommonCode> => ({
  no_files: () => ({ message: 'There are no files in it.', nextStep: KINDS }),
  nothing_known: ({ file, reason, others }) => ({
    message: `${file} ${reason}.${others > 0 ? ` ${others.toLocaleString('en')} other ${others === 1 ? 'file' : 'files'} can't be imported either.` : ''}`,
    nextStep: KINDS,
  }),
  file_changed: ({ file }) => ({
    message: `${file} has changed and is no longer a table.`,
    nextStep: 'Import it again.',
  }),
  no_rows: ({ file, format, wanted, tables, problem }) => ({
    message: `${file} has no rows${wanted.length > 0 ? ` called ${wanted.join(', ')}` : ''} that can be imported${problem === undefined ? '' : `: ${problem}`}.`,
    nextStep:
      tables.length > 0
        ? `Its tables are: ${tables.join(', ')}.`
        : problem !== undefined
          ? 'Get the complete file, then import it.'
          : format === 'json'
            ? 'A table in JSON is a list of objects, or an object with such lists.'
            : 'Check the file.',
  }),
  database_without_path: ({ file }) => ({
    message: `${file} is a database, but not a file on a disk.`,
    nextStep: 'Save it as a file, then import it.',
  }),
  database_in_use: ({ file }) => ({
    message: `Another program is using ${file} and has locked it.`,
    nextStep: 'Close that program, then import it again. A copy made while it runs would be damaged.',
  }),
  database_unreadable: ({ file, reason }) => ({
    message: `${file} can't be read as a database: ${reason}.`,
    nextStep: 'Close the program that uses it, then import it again.',
  }),
  unknown_type: ({ type, types }) => ({
    message: `"${type}" is not a type.`,
    nextStep: `Use one of ${types.join(', ')}.`,
  }),
  other_kind_of_source: ({ source }) => ({
    message: `The source "${source}" already exists and is of another kind.`,
    nextStep: otherName,
  }),
  source_not_of_tables: ({ source }) => ({
    message: `The source "${source}" does not come from tables.`,
    nextStep: otherName,
  }),
  key_is_fixed: ({ stream, key }) => ({
    message: `The key of "${stream}" is ${key.join(', ')} and can't change.`,
    nextStep: elsewhere,
  }),
  type_is_fixed: ({ column, as, stream }) => ({
    message: `"${column}" has been ${as} since the first import of "${stream}".`,
    nextStep: elsewhere,
  }),
  zone_is_fixed: ({ field, zone, stream }) => ({
    message: `The times of "${field}" have been read as ${zone} since the first import of "${stream}".`,
    nextStep: elsewhere,
  }),
  key_is_missing: ({ stream, key }) => ({
    message: `The file lacks the key of "${stream}": ${key.join(', ')}.`,
    nextStep: elsewhere,
  }),
  values_do_not_fit: ({ field, as, stream, unfit, values, example }) => ({
    message: `"${field}" was ${as} in earlier imports of "${stream}". Here ${unfit} of ${values} values are not, such as "${example}".`,
    nextStep: elsewhere,
  }),
})
