/** The URL of another database on the same server. `new URL` cannot be used, because these URLs may have no host. */
export function databaseUrl(url: string, database: string): string {
  const [, server, , options = ''] = /^(\w+:\/\/[^/?]*)(\/[^?]*)?(\?.*)?$/.exec(url) ?? []
  if (server === undefined) throw new Error('This is not the address of a database.')
  return `${server}/${database}${options}`
}
