/** All environment variables that the adapter reads. Only this file reads them. */
export interface AdapterEnvironment {
  readonly providerUrl: string | undefined
  readonly cacheRoot: string | undefined
  readonly grant: string | undefined
  readonly home: string | undefined
  /** Names of the owner credentials that are set. The adapter refuses to start with any of them. */
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
