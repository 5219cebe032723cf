import { broken, type CheckResult, skipped } from './check-result.ts'

export type { CheckResult, State } from './check-result.ts'

export interface Check {
  readonly name: string
  run(): Promise<CheckResult> | CheckResult
}

export type NamedCheckResult = CheckResult & { readonly name: string }

/**
 * Runs checks one after the other. In a chain each check needs the one before it, so those after a broken check are
 * skipped.
 */
export async function inTurn(checks: readonly Check[], { chain }: { chain: boolean }): Promise<NamedCheckResult[]> {
  const found: NamedCheckResult[] = []
  for (const check of checks) {
    const stopped = chain && found.some(({ state }) => state === 'broken')
    found.push({ name: check.name, ...(stopped ? skipped('not tried') : await runCheck(check)) })
  }
  return found
}

async function runCheck(check: Check): Promise<CheckResult> {
  try {
    return await check.run()
  } catch (error) {
    return broken(
      `no proper answer (${reasonOf(error)})`,
      "Look at the server's output, and at the proxy in front of it.",
    )
  }
}

/** The real cause of a failed request, such as ENOTFOUND or a certificate error. */
export function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'nothing within 15 s' : message)
}
