import { HttpResourceServer, objectOf } from '@pdpp/mcp-server/client'
import type { PdppError } from '@pdpp/protocol'
import { EXIT } from '../terminal/exit-codes.ts'
import { CommandFailure } from '../terminal/failure.ts'
import { refusal, unreachable } from './refusal.ts'

/** Asks the server what a token can read. Throws for an invalid token and for an owner token. */
export async function verifyToken(providerUrl: string, accessToken: string): Promise<Record<string, unknown>> {
  const bearer = { current: async () => accessToken, replace: async () => undefined }
  const server = new HttpResourceServer(providerUrl, bearer, { surface: 'cli' })
  const reply = await server
    .get({ path: '/v1/schema', query: [['view', 'compact']], tool: 'cli' })
    .catch((error: PdppError) => {
      throw error.code === 'server_unreachable' ? unreachable(providerUrl) : error
    })
  if (reply.status !== 200) throw refusal(reply, providerUrl)
  const schema = objectOf(reply.body)
  if (objectOf(schema['bearer'])['token_kind'] === 'owner')
    throw new CommandFailure(
      EXIT.notPermitted,
      'This is an owner token. It can do everything, so pdpp does not read with it.',
      'Create a grant instead: pdpp owner grant create --client <name> --connection <id>',
    )
  return schema
}
