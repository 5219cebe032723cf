import { readConfig } from '@pdpp/server/offline'
import { mintToken, type OwnerCommandOptions } from '../../provider/owner-api.ts'
import { printJson, printLine } from '../../terminal/output.ts'

export async function ownerToken(options: OwnerCommandOptions): Promise<void> {
  const { accessToken, expiresAt } = await mintToken(readConfig(options))
  if (options.json)
    printJson({
      access_token: accessToken,
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    })
  else printLine(accessToken)
}
