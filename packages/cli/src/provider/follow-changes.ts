import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface FollowedStream {
  readonly providerUrl: string
  readonly grantId: string
  readonly stream: string
  readonly connectionId: string | undefined
}

/** Remembers how far `--since-last` has read a stream under a grant, because positions belong to a grant. */
export class ChangeFollower {
  readonly #path: string

  constructor(cacheRoot: string, { providerUrl, grantId, stream, connectionId }: FollowedStream) {
    const { protocol, host } = new URL(providerUrl)
    const name = connectionId === undefined ? stream : `${stream}@${connectionId}`
    this.#path = join(
      cacheRoot,
      'changes',
      safe(`${protocol.slice(0, -1)}_${host}`),
      safe(grantId),
      `${safe(name)}.json`,
    )
  }

  position(restart: boolean): string {
    if (restart) return 'beginning'
    try {
      const { changes_since: position } = JSON.parse(readFileSync(this.#path, 'utf8'))
      return typeof position === 'string' ? position : 'beginning'
    } catch {
      return 'beginning'
    }
  }

  keep(position: string): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const draft = `${this.#path}.${process.pid}.tmp`
    writeFileSync(draft, `${JSON.stringify({ changes_since: position, kept_at: new Date().toISOString() })}\n`, {
      mode: 0o600,
    })
    renameSync(draft, this.#path)
  }
}

const safe = (text: string): string => text.replace(/[^A-Za-z0-9.@-]/g, '_').slice(0, 200)
