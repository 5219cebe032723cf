/** The names of every environment variable that the adapter reads; the only file that reads them. */
export interface AdapterEnvironment {
  readonly providerUrl: string | undefined
  readonly cacheRoot: string | undefined
  readonly grant: string | undefined
  readonly home: string | undefined
  /** Names of owner credentials that are set: any of them stops the adapter. */
  readonly ownerCredentials: readonly string[]
}

const OWNER_CREDENTIALS = ['PDPP_OWNER_TOKEN', 'PDPP_OWNER_SESSION_COOKIE', 'PDPP_OWNER_PASSWORD']

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): AdapterEnvironment {
  return {
    providerUrl: env['PDPP_PROVIDER_URL'],
    cacheRoot: env['PDPP_CACHE_ROOT'],
    grant: env['PDPP_GRANT'],
    home: env['HOME'] ?? env['USERPROFILE'],
    ownerCredentials: OWNER_CREDENTIALS.filter((name) => (env[name] ?? '') !== ''),
  }
}
