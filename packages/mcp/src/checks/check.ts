import { broken, type Finding, skipped } from './finding.ts'

export type { Finding, State } from './finding.ts'

export interface Check {
  readonly name: string
  run(): Promise<Finding> | Finding
}

export type Found = Finding & { readonly name: string }

/** One after the other. In a chain each link hangs on the one before: after a broken one nothing is tried. */
export async function inTurn(checks: readonly Check[], { chain }: { chain: boolean }): Promise<Found[]> {
  const found: Found[] = []
  for (const check of checks) {
    const stopped = chain && found.some(({ state }) => state === 'broken')
    found.push({ name: check.name, ...(stopped ? skipped('not tried') : await tried(check)) })
  }
  return found
}

async function tried(check: Check): Promise<Finding> {
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
