import { declaredFields, PdppError, type SourceDeclaration } from '@pdpp/protocol'
import type { Layout } from './layout.ts'

/**
 * Max. new fields of existing streams. Each one is another column in the statements that fill it for stored records,
 * and everybody waits for these.
 */
const MAX_NEW_FIELDS = 500

/** Returns an error if a declaration adds too many fields at once. `layouts` are those of the existing streams. */
export function tooManyFields(
  layouts: ReadonlyMap<string, Layout>,
  { streams }: SourceDeclaration,
): PdppError | undefined {
  let count = 0
  for (const stream of streams) {
    const known = layouts.get(stream.name)
    if (!known) continue
    const names = new Set(known.fields.map((field) => `${field.kind} ${field.name}`))
    for (const [name, kind] of declaredFields(stream)) if (!names.has(`${kind} ${name}`)) count++
  }
  if (count <= MAX_NEW_FIELDS) return
  const message = `The new declaration adds ${count} fields to streams that are there; at most ${MAX_NEW_FIELDS} are added at once.`
  return new PdppError('connector_invalid', message, {
    param: 'streams',
    nextStep:
      'Declare it in several steps, each with some of the new fields, or give the fields a stream of their own.',
  })
}
