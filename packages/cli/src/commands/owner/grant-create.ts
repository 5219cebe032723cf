import { withOwnerApi } from '../../provider/owner-api.ts'
import { bold, printJson, printLine } from '../../terminal/output.ts'
import { choiceBody, type GrantChoice } from './grant-choice.ts'
import { describeGrant, type WireGrant } from './grant-text.ts'

interface CreateOptions extends GrantChoice {
  client: string
  connection: string[]
  singleUse?: boolean
  purpose?: string
  dataDir?: string
  json?: boolean
}

interface Created {
  grant_id: string
  access_token: string
  expires_at: string | null
  grant: WireGrant
}

export async function createGrant(options: CreateOptions): Promise<void> {
  const body = {
    client_name: options.client,
    connections: options.connection,
    ...choiceBody(options),
    access_mode: options.singleUse ? 'single_use' : 'continuous',
    purpose_description: options.purpose,
  }
  const created = await withOwnerApi(options, (api) => api.request<Created>('POST', '/v1/owner/grants', body))
  if (options.json) return printJson(created)
  for (const line of describeGrant(created.grant)) printLine(line)
  printLine()
  printLine(`${bold('Token')} (shown once)`)
  printLine(created.access_token)
}
