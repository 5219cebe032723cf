import type { ImportInput, ReadTally } from '../importer.ts'

/** Max. reasons that are counted separately. Further ones are counted together. */
const MAX_REASONS = 200
const OTHER_REASON = 'for other reasons'
const NOT_OPENED = 'nothing in the export refers to it'

export interface LeftOutCount {
  /** The stream that the item would have gone to, or `file`. */
  readonly kind: string
  readonly reason: string
  readonly count: number
}

interface KindCoverage {
  readonly kind: string
  readonly seen: number
  readonly imported: number
  readonly leftOut: number
  readonly lost: number
}

/** Tells how much of an export was imported, based on the reader's own count of the items it saw. */
export interface Coverage {
  readonly files: { readonly seen: number; readonly read: number }
  readonly items: { readonly seen: number; readonly imported: number }
  readonly kinds: readonly KindCoverage[]
  readonly leftOut: readonly LeftOutCount[]
  /** Items that the reader saw and dropped without a reason. More than 0 is a bug in the importer. */
  readonly unexplained: number
}

interface Counts {
  seen: number
  imported: number
  leftOut: number
  lost: number
}

/** Counts the items that a reader saw and their outcomes. */
export class CoverageTally implements ReadTally {
  readonly #kinds = new Map<string, Counts>()
  readonly #reasons = new Map<string, { kind: string; reason: string; count: number }>()
  readonly #files = new Map<string, 'unread' | 'read'>()
  readonly #fileReasons = new Map<string, string>()

  saw(kind: string, count = 1): void {
    this.#of(kind).seen += count
  }

  leftOut(kind: string, reason: string, count = 1): void {
    this.#of(kind).leftOut += count
    this.#note(kind, reason, count)
  }

  leftOutFile({ name }: ImportInput, reason: string): void {
    this.#fileReasons.set(name, reason)
  }

  imported(kind: string): void {
    this.#of(kind).imported++
  }

  /** `refused`: the record was counted as imported, but the server refused it. */
  lost(kind: string, refused = false): void {
    const counts = this.#of(kind)
    counts.lost++
    if (refused) counts.imported--
  }

  /** Returns the input in a form that notes whether it is opened. */
  watched<T extends ImportInput>(input: T): T {
    if (!this.#files.has(input.name)) this.#files.set(input.name, 'unread')
    const noted = () => this.#files.set(input.name, 'read')
    const { databasePath } = input
    return {
      ...input,
      open: () => {
        noted()
        return input.open()
      },
      ...(databasePath && {
        databasePath: () => {
          noted()
          return databasePath.call(input)
        },
      }),
    }
  }

  /** `isWhole`: the reader reached the end, so that every item has an outcome. */
  result(isWhole: boolean): Coverage {
    const kinds = [...this.#kinds]
      // Records that are made of several items, such as conversations, are not items of the export.
      .filter(([, { seen, leftOut, lost }]) => seen + leftOut + lost > 0)
      .map(([kind, counts]) => ({ kind, ...counts, seen: Math.max(counts.seen, counts.leftOut + counts.lost) }))
    const sum = (what: keyof Counts) => kinds.reduce((total, each) => total + each[what], 0)
    const missing = kinds.map(({ seen, imported, leftOut, lost }) => Math.max(0, seen - imported - leftOut - lost))
    const unread = [...this.#files].filter(([, state]) => state === 'unread')
    const files = new CoverageTally()
    for (const [name] of unread) files.#note('file', this.#fileReasons.get(name) ?? NOT_OPENED, 1)
    return {
      files: { seen: this.#files.size, read: this.#files.size - unread.length },
      items: { seen: sum('seen'), imported: kinds.reduce((n, { seen, imported }) => n + Math.min(seen, imported), 0) },
      kinds,
      leftOut: [...this.#reasons.values(), ...files.#reasons.values()].toSorted((a, b) => b.count - a.count),
      unexplained: isWhole ? missing.reduce((total, each) => total + each, 0) : 0,
    }
  }

  #of(kind: string): Counts {
    const counts = this.#kinds.get(kind) ?? { seen: 0, imported: 0, leftOut: 0, lost: 0 }
    this.#kinds.set(kind, counts)
    return counts
  }

  #note(kind: string, reason: string, count: number): void {
    const shown = this.#reasons.size < MAX_REASONS ? reason : OTHER_REASON
    const key = `${kind} ${shown}`
    const noted = this.#reasons.get(key) ?? { kind, reason: shown, count: 0 }
    noted.count += count
    this.#reasons.set(key, noted)
  }
}

export type CoverageSum = Pick<Coverage, 'files' | 'items' | 'unexplained'>

/** Adds up the sources. `unreadFiles` are files that no importer could read. */
export function coverageSum(all: readonly CoverageSum[], unreadFiles: number): CoverageSum {
  const sum = (of: (each: CoverageSum) => number) => all.reduce((total, each) => total + of(each), 0)
  return {
    files: { seen: sum(({ files }) => files.seen) + unreadFiles, read: sum(({ files }) => files.read) },
    items: { seen: sum(({ items }) => items.seen), imported: sum(({ items }) => items.imported) },
    unexplained: sum(({ unexplained }) => unexplained),
  }
}

/** One line for people: `41 of 41 files; 12,034 of 12,040 items; 6 problems, listed`. */
export function coverageText({ files, items, unexplained }: CoverageSum, problems: number): string {
  const number = (value: number) => value.toLocaleString('en')
  return [
    `${number(files.read)} of ${number(files.seen)} ${files.seen === 1 ? 'file' : 'files'}`,
    `${number(items.imported)} of ${number(items.seen)} ${items.seen === 1 ? 'item' : 'items'}`,
    problems > 0
      ? `${number(problems)} ${problems === 1 ? 'problem' : 'problems'}, listed`
      : files.read < files.seen
        ? 'no problems in what was read'
        : 'no problems',
    ...(unexplained === 0 ? [] : [`${number(unexplained)} items lost without a reason: please report this`]),
  ].join('; ')
}

/** A line about items that were left out: `12 messages: copies of a mail that was imported`. */
export const leftOutText = ({ kind, reason, count }: LeftOutCount): string =>
  `${count.toLocaleString('en')} ${kind === 'file' && count !== 1 ? 'files' : kind}: ${reason}`
