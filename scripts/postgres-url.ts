/** The address of another database of the same server. `new URL` does not accept an address without a host. */
export function databaseUrl(url: string, database: string): string {
  const [, server, , options = ''] = /^(\w+:\/\/[^/?]*)(\/[^?]*)?(\?.*)?$/.exec(url) ?? []
  if (server === undefined) throw new Error('This is not the address of a database.')
  return `${server}/${database}${options}`
}
