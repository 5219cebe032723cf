import { formatResultId } from '@pdpp/protocol'

const PLAIN_KEY = /^[\w.~-]+$/

/**
 * How rows are shown to one reader: with the page where the owner can look at each, `<origin>/r/<encoded result id>`
 * (point 25), and with encoded bytes as they are or described. On every row, so it is quick.
 */
export class RecordUrls {
  readonly #origin: string
  readonly shown: boolean
  readonly #prefixes = new Map<string, string>()

  readonly describesBinary: boolean

  /** Rows for a reader that has the ids, and pays for every byte, need no address. */
  constructor(origin: string, shown = true, binary: 'inline' | 'described' = 'inline') {
    this.#origin = origin
    this.shown = shown
    this.describesBinary = binary === 'described'
  }

  /** As a member of a row. */
  member(connectionId: string, stream: string, key: string): string {
    return this.shown ? `"url":"${this.of(connectionId, stream, key)}",` : ''
  }

  /** Plain ASCII without quotes: can stand in JSON as it is. */
  of(connectionId: string, stream: string, key: string): string {
    if (!PLAIN_KEY.test(key)) return this.#whole(formatResultId({ connectionId, stream, recordKey: key }))
    const place = `${connectionId}/${stream}:`
    let prefix = this.#prefixes.get(place)
    if (prefix === undefined) {
      prefix = this.#whole(place)
      this.#prefixes.set(place, prefix)
    }
    return prefix + key
  }

  #whole(id: string): string {
    return `${this.#origin}/r/${encodeURIComponent(id)}`
  }
}
