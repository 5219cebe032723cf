import { PdppError, parseInstant } from '@pdpp/protocol'
import type { Context as HonoContext } from 'hono'

const MAX_CHARS = 2000

/** The query parameters of a page's address. Browsers send empty form fields, so an empty value counts as absent. */
export class PageQuery {
  readonly #params: URLSearchParams
  readonly #path: string

  constructor(c: HonoContext) {
    const { pathname, searchParams } = new URL(c.req.url)
    this.#params = searchParams
    this.#path = pathname
  }

  text(name: string): string | undefined {
    const value = this.#params.get(name)?.trim()
    if (value === undefined || value === '') return
    if (value.length <= MAX_CHARS) return value
    throw new PdppError('invalid_argument', `${name} is too long.`, { param: name })
  }

  /** A date or time, as milliseconds since the epoch. */
  time(name: string): number | undefined {
    const text = this.text(name)
    if (text === undefined) return
    const micros = parseInstant(text)
    if (micros !== undefined) return Math.floor(micros / 1000)
    throw new PdppError('invalid_argument', `${name} must be a date such as 2026-01-31.`, { param: name })
  }

  /** The path of this page with changed parameters; undefined removes one. */
  link(changes: Readonly<Record<string, string | undefined>>, path = this.#path): string {
    const params = new URLSearchParams([...this.#params].filter(([, value]) => value.trim() !== ''))
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) params.delete(name)
      else params.set(name, value)
    }
    return params.size === 0 ? path : `${path}?${params}`
  }
}
