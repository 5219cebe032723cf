import { typedCommand } from '../../invocation.ts'
import type { OwnerApi } from '../../provider/owner-api.ts'
import { ask } from './confirm.ts'

const ROUTE = '/v1/owner/demo'

export interface DemoChoice {
  /** `--keep-demo`: import next to the demo data, without asking. */
  readonly keep: boolean
  /** `--remove-demo`: remove the demo data first. */
  readonly remove: boolean
  /** True if a person can answer at the terminal. */
  readonly canAsk: boolean
  readonly dryRun: boolean
}

/**
 * Prevents demo data and the owner's own data from being mixed by accident: asks the owner, or at least mentions the
 * demo data. Returns whether it was kept or removed.
 */
export async function settleDemo(
  api: OwnerApi,
  { keep, remove, canAsk, dryRun }: DemoChoice,
  signal: AbortSignal,
): Promise<'kept' | 'removed' | undefined> {
  if (!(await isLoaded(api))) return
  if (keep) return 'kept'
  const isRemoved = !dryRun && (remove || (canAsk && (await wantsRemoval(signal))))
  if (isRemoved) {
    await api.request('DELETE', ROUTE)
    process.stderr.write('The demo data is gone.\n')
    return 'removed'
  }
  if (!canAsk)
    process.stderr.write(
      `The demo data is still here, and your own data will be next to it. To remove it first, use \`${typedCommand()} import --remove-demo\`. To hide this note, add --keep-demo.\n`,
    )
  return 'kept'
}

/** Older servers do not have this route. */
async function isLoaded(api: OwnerApi): Promise<boolean> {
  try {
    return (await api.request<{ is_loaded: boolean }>('GET', ROUTE)).is_loaded
  } catch {
    return false
  }
}

async function wantsRemoval(signal: AbortSignal): Promise<boolean> {
  const answer = await ask(
    'The demo data of Mira Tallow, an invented person, is still here. Remove it first? [Y/n] ',
    signal,
  )
  return answer !== undefined && /^(y|yes|)$/i.test(answer)
}
