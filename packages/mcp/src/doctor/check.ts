import { broken, type CheckResult, skipped } from './check-result.ts'

export type { CheckResult, State } from './check-result.ts'

export interface Check {
  readonly name: string
  run(): Promise<CheckResult> | CheckResult
}

export type NamedCheckResult = CheckResult & { readonly name: string }

/** One after the other. In a chain each link hangs on the one before: after a broken one nothing is tried. */
export async function inTurn(checks: readonly Check[], { chain }: { chain: boolean }): Promise<NamedCheckResult[]> {
  const found: NamedCheckResult[] = []
  for (const check of checks) {
    const stopped = chain && found.some(({ state }) => state === 'broken')
    found.push({ name: check.name, ...(stopped ? skipped('not tried') : await tried(check)) })
  }
  return found
}

async function tried(check: Check): Promise<CheckResult> {
  try {
    return await check.run()
  } catch (error) {
    return broken(
      `no proper answer (${reasonOf(error)})`,
      'Look at what the server printed, and at what stands in front of it.',
    )
  }
}

/** What undici wraps: the name of the real trouble, such as ENOTFOUND or a certificate's. */
export function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'nothing within 15 s' : message)
}
