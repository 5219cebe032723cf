import { objectOf, textOf } from '@pdpp/mcp-server/client'
import { askSecret, canAsk } from '../terminal/ask.ts'
import { UsageError } from '../terminal/failure.ts'

const MAX_BYTES = 65_536
const HOW = 'Pipe it in: pdpp owner grant create … --json | pdpp connect <provider-url> --with-token'

export interface GivenToken {
  readonly accessToken: string
  readonly grantId: string | undefined
  readonly packageId: string | undefined
  readonly clientId: string | undefined
  readonly expiresAt: string | null
}

/**
 * Reads a token, or the JSON of `pdpp owner grant create --json`, from standard input. Others could see an argument.
 */
export async function readTokenFromInput(): Promise<GivenToken> {
  const text = (canAsk() ? await askSecret('Token') : await input()).trim()
  if (text.startsWith('{')) {
    const value = parsed(text)
    const accessToken = textOf(value['access_token'])
    if (accessToken === undefined) throw new UsageError('The JSON contains no access_token.', HOW)
    return {
      accessToken: checkToken(accessToken),
      grantId: textOf(value['grant_id']),
      packageId: textOf(value['package_id']) ?? textOf(value['grant_package_id']),
      clientId: textOf(value['client_id']),
      expiresAt: textOf(value['expires_at']) ?? null,
    }
  }
  return {
    accessToken: checkToken(text),
    grantId: undefined,
    packageId: undefined,
    clientId: undefined,
    expiresAt: null,
  }
}

function checkToken(token: string): string {
  if (!/^[\x21-\x7e]{8,4096}$/.test(token)) throw new UsageError('The input is not a token.', HOW)
  return token
}

async function input(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BYTES) throw new UsageError('The input is too long for a token.', HOW)
  }
  return text
}

function parsed(text: string): Record<string, unknown> {
  try {
    return objectOf(JSON.parse(text))
  } catch {
    throw new UsageError('The input is not valid JSON.', HOW)
  }
}
