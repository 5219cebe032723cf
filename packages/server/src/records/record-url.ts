import { formatResultId } from '@pdpp/protocol'

const PLAIN_KEY = /^[\w.~-]+$/

/**
 * How rows refer to the console: each has a `url` of the page where the owner can open it, `<origin>/r/<encoded result
 * id>` (point 25). Also decides whether binary fields are described. Runs for every row, so it must be fast.
 */
export class RecordUrls {
  readonly #origin: string
  readonly shown: boolean
  readonly #prefixes = new Map<string, string>()

  readonly describesBinary: boolean

  /** `shown` is false for clients that have the ids and need small rows, such as adapters. */
  constructor(origin: string, shown = true, binary: 'inline' | 'described' = 'inline') {
    this.#origin = origin
    this.shown = shown
    this.describesBinary = binary === 'described'
  }

  /** The `url` as a JSON member, or nothing. */
  member(connectionId: string, stream: string, key: string): string {
    return this.shown ? `"url":"${this.of(connectionId, stream, key)}",` : ''
  }

  /** ASCII without quotes, so it can be put into JSON without escaping. */
  of(connectionId: string, stream: string, key: string): string {
    if (!PLAIN_KEY.test(key)) return this.#whole(formatResultId({ connectionId, stream, recordKey: key }))
    const stem = `${connectionId}/${stream}:`
    let prefix = this.#prefixes.get(stem)
    if (prefix === undefined) {
      prefix = this.#whole(stem)
      this.#prefixes.set(stem, prefix)
    }
    return prefix + key
  }

  #whole(id: string): string {
    return `${this.#origin}/r/${encodeURIComponent(id)}`
  }
}
