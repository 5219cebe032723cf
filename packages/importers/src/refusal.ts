/** Decisions of the owner that replace inferred ones. The command has flags for them, the console has fields. */
export type OverrideName =
  | 'source'
  | 'connection'
  | 'stream'
  | 'table'
  | 'header'
  | 'key'
  | 'time'
  | 'text'
  | 'title'
  | 'type'
  | 'zone'

type Names = readonly string[]

/** The reason why an input cannot be imported: a code, with the data for its text. */
export interface RefusalData {
  no_files: Record<string, never>
  nothing_known: { file: string; reason: string; others: number }
  file_changed: { file: string }
  /** `wanted`: the requested tables. `tables`: the tables of the file. `problem`: the first problem found. */
  no_rows: { file: string; format: string; wanted: Names; tables: Names; problem?: string | undefined }
  several_tables: { file: string; tables: Names }
  database_without_path: { file: string }
  database_in_use: { file: string }
  database_unreadable: { file: string; reason: string }
  fields_are_fixed: { overrides: readonly OverrideName[] }
  other_kind_of_source: { source: string }
  source_not_of_tables: { source: string }
  connection_of_other_source: { connection: string; source: string }
  several_connections: { source: string; connections: Names }
  unknown_type: { type: string; types: Names }
  unknown_column: { column: string; columns: Names }
  not_a_time: { column: string; as: string }
  not_a_text: { column: string; as: string }
  key_is_fixed: { stream: string; key: Names }
  type_is_fixed: { column: string; as: string; stream: string }
  zone_is_fixed: { field: string; zone: string; stream: string }
  key_is_missing: { stream: string; key: Names }
  values_do_not_fit: { field: string; as: string; stream: string; unfit: number; values: number; example: string }
}

export type RefusalCode = keyof RefusalData

export interface Refusal<C extends RefusalCode = RefusalCode> {
  readonly code: C
  readonly data: RefusalData[C]
  /** The decision of the owner that was refused. */
  readonly override?: OverrideName | undefined
}

export interface RefusalText {
  readonly message: string
  readonly nextStep: string
}

/** The text for every code on one surface. */
export type RefusalTexts = {
  readonly [C in RefusalCode]: (data: RefusalData[C], override: OverrideName | undefined) => RefusalText
}

export function refusalText(texts: RefusalTexts, { code, data, override }: Refusal): RefusalText {
  return (texts[code] as (data: unknown, override: OverrideName | undefined) => RefusalText)(data, override)
}

/** Thrown if the input cannot be imported at all, or not in the requested way. Each surface has a text for the code. */
export class ImportRefusal<C extends RefusalCode = RefusalCode> extends Error {
  override readonly name = 'ImportRefusal'
  readonly refusal: Refusal<C>

  constructor(code: C, data: RefusalData[C], override?: OverrideName) {
    super(override === undefined ? code : `${code}: ${override}`)
    this.refusal = { code, data, ...(override === undefined ? {} : { override }) }
  }
}
