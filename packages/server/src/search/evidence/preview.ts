import { charOffset, countChars } from '@pdpp/protocol/reading'
import { includesField, type ReadScope } from '../../grants/read-scope.ts'
import { type EvidenceExcerpt, WHOLE } from './evidence.ts'
import { textOf, windowAround } from './evidence-window.ts'
import { GraphemeBorders } from './grapheme.ts'
import { BODY_NAMES, type Label } from './label.ts'

/**
 * A part of a text without marks. It proves no match and does not say where one is. It shows what is in a record that
 * was found by its author or by a neighbouring record (point 41).
 */
export interface Preview {
  readonly path: string
  readonly text: string
  /** Offsets in code points of the beginning and end of the preview, and the length of the whole text. */
  readonly start: number
  readonly end: number
  readonly total: number
}

/** The beginning of a text, cut between words. */
export function beginningOf(path: string, text: string, chars: number): Preview {
  const total = countChars(text)
  if (total <= WHOLE * chars) return { path, text, start: 0, end: total, total }
  const { end } = windowAround(text, { start: 0, end: 0 }, chars - 1, new GraphemeBorders(text))
  return { path, text: `${textOf(text, { start: 0, end })}…`, start: 0, end: charOffset(text, end), total }
}

/** The passage of a proven match, without its marks. */
export function passageOf(excerpt: EvidenceExcerpt): Preview {
  const { field_path, preview_text, window_start_chars, window_end_chars, total_chars } = excerpt
  return {
    ...{ path: field_path, text: preview_text },
    ...{ start: window_start_chars, end: window_end_chars, total: total_chars },
  }
}

/** The field with the text that a person wrote, if the scope includes one that is not empty. */
export function writtenField(
  scope: ReadScope,
  searched: readonly string[],
  data: Readonly<Record<string, unknown>>,
  label: Label,
): string | undefined {
  const hasText = (name: string) =>
    includesField(scope.usable, name) && typeof data[name] === 'string' && /\S/.test(data[name])
  const usual = [...BODY_NAMES].find(hasText)
  return usual ?? searched.find((name) => hasText(name) && !isLabel(data[name] as string, label))
}

/** True if the label of a hit already shows this whole text. */
export function isLabel(text: string, { title, actor, container }: Label): boolean {
  return text === actor || text === container || text === title
}
