import type { PlannedField, PlannedStream } from '../importer.ts'

/** Merges the streams of several files that have the same name. */
export function mergedStreams(streams: readonly PlannedStream[]): PlannedStream[] {
  const merged = new Map<string, PlannedStream>()
  for (const stream of streams) {
    const first = merged.get(stream.name)
    if (!first) merged.set(stream.name, stream)
    else {
      const filled = new Map(stream.fields.map((field) => [field.name, field]))
      const fields = first.fields.map((field) => ({
        ...field,
        filled: field.filled + (filled.get(field.name)?.filled ?? 0),
      }))
      const added = stream.fields.filter(({ name }) => !first.fields.some((field) => field.name === name))
      merged.set(stream.name, {
        ...first,
        sampled: first.sampled + stream.sampled,
        complete: first.complete && stream.complete,
        expected: undefined,
        fields: [...fields, ...added],
      })
    }
  }
  return [...merged.values()]
}

/** Sorts fields so that time and title come first, because people recognise a record by them. */
export function timeAndTitleFirst(fields: readonly PlannedField[]): PlannedField[] {
  const rank = ({ uses }: PlannedField) => {
    const at = ['time', 'title', 'who', 'searched'].findIndex((use) => uses.includes(use))
    return at !== -1 ? at : uses.includes('key') ? 9 : 5
  }
  return fields.toSorted((a, b) => rank(a) - rank(b))
}

export function filledText({ filled }: PlannedField, { sampled }: PlannedStream): string {
  const share = (filled / sampled) * 100
  return filled === sampled ? 'all' : filled === 0 ? 'none' : share < 1 ? 'few' : `${Math.floor(share)} %`
}
