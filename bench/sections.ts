// The sections of the bench. Each can be run alone with `--only`.

export const SECTIONS = [
  'ingest',
  'search',
  'connections',
  'writes',
  'long',
  'requests',
  'fairness',
  'load',
  'start',
  'reads',
  'aggregates',
  'growth',
  'receipts',
  'events',
  'adapter',
  'postgres',
] as const
export type Section = (typeof SECTIONS)[number]

/** A quick run skips these sections, because they take long and show little. */
const NOT_QUICK: readonly Section[] = ['growth', 'events', 'adapter', 'postgres', 'load', 'aggregates', 'receipts']

export function chosenSections(only: string | undefined, isQuick: boolean): ReadonlySet<Section> {
  if (only === undefined) return new Set(SECTIONS.filter((section) => !isQuick || !NOT_QUICK.includes(section)))
  const names = only.split(',')
  const unknown = names.find((name) => !(SECTIONS as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`There is no section "${unknown}". Choose from: ${SECTIONS.join(', ')}.`)
  return new Set(names as Section[])
}
