import { canonicalJson, countChars } from '@pdpp/protocol/reading'
import { objectOf } from '../resource-server/envelope.ts'
import { binaryOf, blobsOf } from './blob.ts'

/** A field that is shown in part, or only described. */
export interface ShortenedField {
  readonly field_path: string
  readonly shown_chars: number
  readonly total_chars: number
}

/** Undefined for files and bytes, because models cannot continue reading those. */
export function shortenedField(field: string, value: unknown, shown: number): ShortenedField | undefined {
  const { object, type, total_chars: total } = objectOf(value)
  if (object === 'field_descriptor')
    return type === 'binary' ? undefined : { field_path: field, shown_chars: 0, total_chars: Number(total ?? 0) }
  if (blobsOf(value).length > 0 || (typeof value === 'string' && binaryOf(value))) return
  const text = typeof value === 'string' ? value : canonicalJson(value)
  return { field_path: field, shown_chars: shown, total_chars: countChars(text) }
}
