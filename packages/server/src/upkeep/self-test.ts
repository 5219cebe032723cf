import { type CheckResult, connectionChecks, inTurn, type NamedCheckResult, ok, warning } from '@pdpp/mcp-server/doctor'
import type { SearchService } from '../search/search-service.ts'

const OPTIONS = {
  onlyHere: true,
  fix: 'Is the address right, and does the proxy in front run? Some routers do not let a computer reach its own public address: then try from a phone without Wi-Fi.',
}

export interface SelfTestResult {
  readonly at: number
  readonly origin: string
  readonly found: readonly NamedCheckResult[]
}

/** Runs the checks of `pdpp doctor` against the address that clients use, and keeps the last result. */
export class SelfTest {
  readonly #services: { readonly search: SearchService }
  #running: Promise<SelfTestResult> | undefined
  last: SelfTestResult | undefined

  constructor(services: { readonly search: SearchService }) {
    this.#services = services
  }

  /** Only one test runs at a time. A second call waits for the running one. */
  run(origin: string, subjectId: string): Promise<SelfTestResult> {
    this.#running ??= this.#run(origin, subjectId).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #run(origin: string, subjectId: string): Promise<SelfTestResult> {
    const checks = [...connectionChecks(origin, OPTIONS), { name: 'A search', run: () => this.#search(subjectId) }]
    const found = await inTurn(checks, { chain: true })
    this.last = { at: Date.now(), origin, found }
    return this.last
  }

  async #search(subjectId: string): Promise<CheckResult> {
    const request = {
      text: 'the',
      streams: undefined,
      connectionId: undefined,
      filters: [],
      since: undefined,
      until: undefined,
    }
    const owner = { kind: 'owner', subjectId } as const
    const { outcome } = await this.#services.search.search(owner, { ...request, limit: 1, cursor: undefined }, [])
    return outcome.building === 0
      ? ok('answered, and the index is current')
      : warning('answered, but some records are not found yet', 'Wait: the index is built while the server runs.')
  }
}
