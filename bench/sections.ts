// The parts of the bench, which can be run alone.

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

/** These are left out of a quick run, because they take longest for what they say. */
const NOT_QUICK: readonly Section[] = ['growth', 'events', 'adapter', 'postgres', 'load', 'aggregates', 'receipts']

export function chosenSections(only: string | undefined, isQuick: boolean): ReadonlySet<Section> {
  if (only === undefined) return new Set(SECTIONS.filter((section) => !isQuick || !NOT_QUICK.includes(section)))
  const names = only.split(',')
  const unknown = names.find((name) => !(SECTIONS as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`There is no section "${unknown}". Choose of: ${SECTIONS.join(', ')}.`)
  return new Set(names as Section[])
}
