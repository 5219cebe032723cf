import type { ServerConfig } from '@pdpp/server'

/** What tests start a server with: on this machine alone, a port of the system's choosing, whatever the environment says. */
export const serverConfig = (dataDir: string, changes: Partial<ServerConfig> = {}): ServerConfig => ({
  host: '127.0.0.1',
  port: 0,
  dataDir,
  publicUrl: undefined,
  trustedHosts: [],
  trustedProxies: [],
  ownerPassword: undefined,
  log: 'errors',
  ...changes,
})
