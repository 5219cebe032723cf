import type { Context } from '../../context.ts'

/** The known names of clients: from their registration, or from a grant that the owner gave them. */
export async function clientNames(
  context: Context,
  subjectId: string,
  clientIds: Iterable<string | undefined>,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const clientId of new Set(clientIds)) {
    if (clientId === undefined || clientId === '') continue
    const name = await nameOf(context, subjectId, clientId)
    if (name !== undefined) names.set(clientId, name)
  }
  return names
}

async function nameOf(context: Context, subjectId: string, clientId: string): Promise<string | undefined> {
  const own = (await context.clients.find(clientId))?.metadata.client_name
  if (own !== undefined) return own
  const [grant] = await context.storage.grants.list(subjectId, { limit: 1, clientId })
  const [inPackage] = grant ? [] : await context.storage.packages.list(subjectId, { limit: 1, clientId })
  return grant?.grant.client.client_display?.name ?? inPackage?.clientName
}
