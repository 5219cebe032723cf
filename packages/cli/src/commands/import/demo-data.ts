import { typedCommand } from '../../invocation.ts'
import type { OwnerApi } from '../../provider/owner-api.ts'
import { ask } from './confirm.ts'

const ROUTE = '/v1/owner/demo'

export interface DemoChoice {
  /** `--keep-demo`: import beside it, and say nothing. */
  readonly keep: boolean
  /** `--remove-demo`: remove it first. */
  readonly remove: boolean
  /** True if somebody sits at the terminal. */
  readonly canAsk: boolean
  readonly dryRun: boolean
}

/** Demo data never mixes with one's own by accident: it is asked about, or at least named. Returns what became of it. */
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

/** Older servers know nothing of it. */
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
