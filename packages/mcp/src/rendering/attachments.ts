import { textOf } from '../resource-server/envelope.ts'
import { shortLine } from './preview.ts'

/** Marks a record with files: `[image]`, `[2 files]`, or `[files]` if the number is unknown. */
export function attachmentsText({ kind, count }: Readonly<Record<string, unknown>>): string | undefined {
  const name = textOf(kind)
  if (name === undefined) return
  const many = name === 'audio' ? name : `${name}s`
  return `[${shortLine(count === 1 ? name : typeof count === 'number' ? `${count} ${many}` : many, 40)}]`
}
