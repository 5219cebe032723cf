import { PdppError } from '@pdpp/protocol'
import { ALLOWED, type AllowanceLimits, Allowances, DEFAULT_LIMITS, type Exhausted } from './allowance.ts'

interface Settings {
  setting(subjectId: string, name: string): Promise<string | undefined>
  saveSetting(subjectId: string, name: string, value: string | undefined): Promise<void>
}

const settingName = (what: string): string => `grant_${what}_per_minute`

/** Allowances with the limits that the owner has set. Loaded once, because every read by a client needs them. */
export class AllowanceService extends Allowances {
  readonly #settings: Settings
  readonly #subjectId: string

  private constructor(settings: Settings, subjectId: string, limits: AllowanceLimits) {
    super(limits)
    this.#settings = settings
    this.#subjectId = subjectId
  }

  static async open(settings: Settings, subjectId: string): Promise<AllowanceService> {
    const limits = { ...DEFAULT_LIMITS }
    for (const what of ALLOWED) {
      const text = await settings.setting(subjectId, settingName(what))
      if (text !== undefined) limits[what] = Number(text) || null
    }
    return new AllowanceService(settings, subjectId, limits)
  }

  /** Changes the named limits only. Zero and null both mean "no limit". */
  async setLimits(changes: { readonly [what in keyof AllowanceLimits]?: number | null | undefined }): Promise<void> {
    const limits = { ...this.limits }
    for (const what of ALLOWED) {
      const limit = changes[what]
      if (limit === undefined) continue
      await this.#settings.saveSetting(this.#subjectId, settingName(what), String(limit ?? 0))
      limits[what] = limit || null
    }
    this.limits = limits
  }
}

export function rateLimited({ what, limit, seconds }: Exhausted, kind: 'grant' | 'package'): PdppError {
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`
  return new PdppError(
    'rate_limit_exceeded',
    `This ${kind} has used up its ${limit.toLocaleString('en')} ${what} a minute; it can continue in ${wait}.`,
    { retryAfterSeconds: seconds, nextStep: `Wait ${wait}, then send the same request again.` },
  )
}
