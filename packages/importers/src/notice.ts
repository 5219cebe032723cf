type Names = readonly string[]

/** An assumption that the owner may override: a code, with the data that its words need. */
interface NoticeData {
  nearly_numbers: { column: string; unfit: number; values: number; example: string }
  nearly_dates: { column: string; unfit: number; values: number; example: string; type: string }
  day_or_month_first: { column: string; form: 'dmy' | 'mdy' }
  no_time_zone: { column: string }
  /** The zone in which a service's local times are read. */
  local_times: { zone: string; isChosen: boolean }
  key_not_unique: { field: string; repeated: number; rows: number }
  no_key: { streams: Names }
  no_time: { streams: Names }
}

type NoticeCode = keyof NoticeData

type CodedNotice = { [C in NoticeCode]: { readonly code: C; readonly data: NoticeData[C] } }[NoticeCode]

/** A sentence is enough for a notice that names no decision of the owner. */
export type ImportNotice = string | CodedNotice

/** The words of one surface for every code. */
export type NoticeTexts = { readonly [C in NoticeCode]: (data: NoticeData[C]) => string }

export function noticeText(texts: NoticeTexts, notice: ImportNotice): string {
  return typeof notice === 'string' ? notice : (texts[notice.code] as (data: unknown) => string)(notice.data)
}
