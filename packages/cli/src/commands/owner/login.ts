import {
  OWNER,
  openStorage,
  prepareDataDirectory,
  readConfig,
  runningServer,
  type ServerConfig,
  SessionService,
  SignInService,
} from '@pdpp/server/offline'
import type { OwnerCommandOptions } from '../../provider/owner-api.ts'
import { printJson, printLine, printNote } from '../../terminal/output.ts'

/** Prints a link that signs in once. Anybody who can write to the data directory counts as the owner (point 27). */
export async function ownerLogin(options: OwnerCommandOptions): Promise<void> {
  const config = readConfig(options)
  prepareDataDirectory(config.dataDir)
  const server = runningServer(config.dataDir)
  const origin = server?.publicUrl ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`
  const { path, expiresAt } = await issueLink(config)
  if (options.json) return printJson({ url: origin + path, expires_at: new Date(expiresAt).toISOString() })
  printLine(origin + path)
  if (!server) printNote('No server is running. Start it with `pdpp serve`, then open the link.')
  else printNote('Open the link in a browser within ten minutes. It works once.')
}

async function issueLink(config: ServerConfig) {
  const storage = await openStorage(config)
  try {
    const sessions = new SessionService(storage.sessions)
    return await new SignInService(storage.credentials, sessions, false).issueLink(OWNER)
  } finally {
    await storage.close()
  }
}
