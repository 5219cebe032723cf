import { type OwnerApi, type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { printHint, printJson, printLine, printTable, safe } from '../../terminal/output.ts'
import { ClientNames } from './client-names.ts'
import { printMore } from './more-hint.ts'

interface OwnerSubscription {
  subscription_id: string
  grant_id: string
  client_id: string
  delivery: string
  callback_url?: string
  status: string
  scope: { streams: { name: string; instance_ids: string[] }[] }
  disabled_reason?: string
  deliveries: { at: string; outcome: string; status?: number }[]
}

interface SubscriptionList {
  data: OwnerSubscription[]
  next_cursor?: string
}

export async function listSubscriptions(
  options: OwnerCommandOptions & { grant?: string; limit: string; cursor?: string },
): Promise<void> {
  const query = { limit: options.limit, cursor: options.cursor, grant_id: options.grant }
  const params = new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]))
  await withOwnerApi(options, async (api) => {
    const list = await api.request<SubscriptionList>('GET', `/v1/owner/subscriptions?${params}`)
    if (options.json) return printJson(list)
    if (list.data.length === 0) return printLine('No event subscriptions. No agent is told of changes.')
    await print(api, list.data)
    printMore('subscription', { ...options, flags: { grant: options.grant } }, list.next_cursor)
  })
}

export async function stopSubscription(id: string, options: OwnerCommandOptions): Promise<void> {
  const path = `/v1/owner/subscriptions/${encodeURIComponent(id)}/stop`
  const stopped = await withOwnerApi(options, (api) => api.request<OwnerSubscription>('POST', path))
  if (options.json) return printJson(stopped)
  printLine(`Stopped ${id}. Nothing more is sent for it, and its agent cannot resume it.`)
  printHint(
    `The agent can still read, and may ask for another one. To end its access: pdpp owner grant revoke ${stopped.grant_id}`,
  )
}

async function print(api: OwnerApi, subscriptions: readonly OwnerSubscription[]): Promise<void> {
  const names = new ClientNames(api)
  const rows: string[][] = []
  for (const found of subscriptions)
    rows.push([
      found.subscription_id,
      found.disabled_reason === undefined ? found.status : `${found.status} (${safe(found.disabled_reason)})`,
      safe(await names.of(found)),
      safe(found.callback_url ?? found.delivery),
      found.scope.streams.map(({ name }) => safe(name)).join(' '),
      lastDelivery(found),
    ])
  printTable(['SUBSCRIPTION', 'STATUS', 'CLIENT', 'SENDS TO', 'STREAMS', 'LAST DELIVERY'], rows)
}

function lastDelivery({ deliveries: [last] }: OwnerSubscription): string {
  if (last === undefined) return 'none'
  return `${last.at} ${last.status === undefined ? '' : `${last.status} `}${safe(last.outcome)}`
}
