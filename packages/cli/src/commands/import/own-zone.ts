import { isTimeZone, lacksZone, type WorkPlan } from '@pdpp/importers'
import type { OwnerApi } from '../../provider/owner-api.ts'
import { ask } from './confirm.ts'

const ROUTE = '/v1/owner/imports/zone'

/** The zone that the owner chose for imports. Undefined on older servers, which have no such setting. */
export async function readOwnZone(api: OwnerApi): Promise<string | undefined> {
  try {
    return (await api.request<{ time_zone: string | null }>('GET', ROUTE)).time_zone ?? undefined
  } catch {
    return
  }
}

/** Asks once for the zone of times without one, and stores the answer. Undefined if no plan needs it. */
export async function askForZone(
  api: OwnerApi,
  sources: readonly WorkPlan[][],
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!sources.flat().some(({ plan }) => lacksZone(plan))) return
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  const answer = await ask(
    `These files have times without a time zone. In which zone were they written? [${here}] `,
    signal,
  )
  if (answer === undefined) return
  const zone = answer === '' ? here : answer
  if (!isTimeZone(zone)) {
    process.stderr.write(`"${zone}" is not a time zone; UTC is used. Write a name such as Europe/Berlin.\n`)
    return
  }
  await api.request('PUT', ROUTE, { time_zone: zone })
  return zone
}
