/** Every environment variable that the server reads. No other file reads them. */
export interface ServerEnvironment {
  readonly port: string | undefined
  readonly host: string | undefined
  readonly dataDir: string | undefined
  readonly databaseUrl: string | undefined
  readonly databasePrepare: string | undefined
  readonly publicUrl: string | undefined
  readonly trustedHosts: string | undefined
  readonly trustedProxies: string | undefined
  readonly ownerPassword: string | undefined
  readonly maxBlobBytes: string | undefined
  readonly log: string | undefined
  readonly home: string | undefined
}

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): ServerEnvironment {
  return {
    port: env['PORT'],
    host: env['PDPP_HOST'],
    dataDir: env['PDPP_DATA_DIR'],
    databaseUrl: env['PDPP_DATABASE_URL'],
    databasePrepare: env['PDPP_DATABASE_PREPARE'],
    publicUrl: env['PDPP_PUBLIC_URL'],
    trustedHosts: env['PDPP_TRUSTED_HOSTS'],
    trustedProxies: env['PDPP_TRUSTED_PROXIES'],
    ownerPassword: env['PDPP_OWNER_PASSWORD'],
    maxBlobBytes: env['PDPP_BLOB_MAX_BYTES'],
    log: env['PDPP_LOG'],
    home: env['HOME'] ?? env['USERPROFILE'],
  }
}
