import { openBrowser } from '../../oauth/open-browser.ts'
import { type OwnerApi, type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure } from '../../terminal/failure.ts'
import { printHint, printJson, printLine, printTable, safe } from '../../terminal/output.ts'
import { ClientNames } from './client-names.ts'

interface OwnerWish {
  wish_id: string
  client_id: string
  state: string
  kind: string
  times: number
  last_at: string
  stream?: string
  connector_key?: string
  field?: string
  since?: string | null
  until?: string | null
  request_access_url?: string
}

export async function listWishes(
  options: OwnerCommandOptions & { client?: string; state?: string; limit: string },
): Promise<void> {
  const query = { limit: options.limit, client_id: options.client, state: options.state }
  const params = new URLSearchParams(Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]))
  await withOwnerApi(options, async (api) => {
    const list = await api.request<{ data: OwnerWish[] }>('GET', `/v1/owner/wishes?${params}`)
    if (options.json) return printJson(list)
    if (list.data.length === 0) return printLine('No wishes. No agent asked for more than it may read.')
    const names = new ClientNames(api)
    const rows: string[][] = []
    for (const wish of list.data)
      rows.push([wish.wish_id, wish.state, safe(await names.of(wish)), textOf(wish), String(wish.times), wish.last_at])
    printTable(['WISH', 'STATE', 'CLIENT', 'ASKED FOR', 'TIMES', 'LAST'], rows)
    printHint('To look at one and allow it: pdpp owner wish allow <wish-id>')
  })
}

/** Opens the page that shows exactly what would be allowed, because access can only be widened there. */
export async function allowWish(id: string, options: OwnerCommandOptions & { browser: boolean }): Promise<void> {
  const address = await withOwnerApi(options, (api) => addressOf(api, id))
  const isOpen = options.browser && (await openBrowser(address))
  printLine(isOpen ? 'Opening your browser. If it does not open, visit this address:' : 'Allow it at this address:')
  printLine(address)
}

export async function decideWish(
  id: string,
  decision: 'deny' | 'silence',
  options: OwnerCommandOptions,
): Promise<void> {
  const path = `/v1/owner/wishes/${encodeURIComponent(id)}/${decision}`
  const wish = await withOwnerApi(options, (api) => api.request<OwnerWish>('POST', path))
  if (options.json) return printJson(wish)
  printLine(`${decision === 'deny' ? 'Denied' : 'Silenced'} ${id}. It stays refused, and you are not asked again.`)
}

async function addressOf(api: OwnerApi, id: string): Promise<string> {
  const { request_access_url: address } = await api.request<OwnerWish>(
    'GET',
    `/v1/owner/wishes/${encodeURIComponent(id)}`,
  )
  if (address !== undefined) return address
  throw new CommandFailure(
    EXIT.usage,
    'This entry stands for many wishes, so it has no page of its own.',
    'Deny or silence it instead.',
  )
}

function textOf({ kind, stream, connector_key: key, field, since, until }: OwnerWish): string {
  if (kind === 'others' || stream === undefined) return 'many other things'
  const name = key === undefined ? safe(stream) : `${safe(key)} ${safe(stream)}`
  if (kind === 'field') return `${name}: field ${safe(field ?? '')}`
  return kind === 'time' ? `${name}: ${since ?? ''}..${until ?? ''}` : name
}
