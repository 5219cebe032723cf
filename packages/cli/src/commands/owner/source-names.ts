import type { OwnerApi } from '../../provider/owner-api.ts'
import type { SourceNames } from './grant-text.ts'

interface ConnectionList {
  readonly data: readonly { readonly connection_id: string; readonly display_name: string | null }[]
}

/** The owner's names of all sources, by connection id. */
export async function sourceNames(api: OwnerApi): Promise<SourceNames> {
  const { data } = await api.request<ConnectionList>('GET', '/v1/owner/connections')
  return new Map(data.map(({ connection_id: id, display_name: name }) => [id, name ?? id]))
}
