type Names = readonly string[]

/** An assumption that the owner may override: a code, with the data for its text. */
interface NoticeData {
  nearly_numbers: { column: string; unfit: number; values: number; example: string }
  nearly_dates: { column: string; unfit: number; values: number; example: string; type: string }
  day_or_month_first: { column: string; form: 'dmy' | 'mdy' }
  no_time_zone: { column: string }
  /** The zone for a service's local times. */
  local_times: { zone: string; isChosen: boolean }
  key_not_unique: { field: string; repeated: number; rows: number }
  no_key: { streams: Names }
  no_time: { streams: Names }
}

type NoticeCode = keyof NoticeData

type CodedNotice = { [C in NoticeCode]: { readonly code: C; readonly data: NoticeData[C] } }[NoticeCode]

/** A plain sentence is enough if the owner cannot override the assumption. */
export type ImportNotice = string | CodedNotice

/** The text for every code on one surface. */
export type NoticeTexts = { readonly [C in NoticeCode]: (data: NoticeData[C]) => string }

export function noticeText(texts: NoticeTexts, notice: ImportNotice): string {
  return typeof notice === 'string' ? notice : (texts[notice.code] as (data: unknown) => string)(notice.data)
}
