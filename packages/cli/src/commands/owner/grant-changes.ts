import { type OwnerCommandOptions, withOwnerApi } from '../../provider/owner-api.ts'
import { printHint, printJson, printLine } from '../../terminal/output.ts'
import { choiceBody, type GrantChoice } from './grant-choice.ts'
import { describeGrant, type WireGrant } from './grant-text.ts'

const path = (id: string, change: string) => `/v1/owner/grants/${encodeURIComponent(id)}/${change}`

export async function pauseGrant(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await withOwnerApi(options, (api) => api.request('POST', path(id, 'pause')))
  if (options.json) printJson(result)
  else printHint(`Paused ${id}. Its token is refused until \`pdpp owner grant resume ${id}\`.`)
}

export async function resumeGrant(id: string, options: OwnerCommandOptions): Promise<void> {
  const result = await withOwnerApi(options, (api) => api.request('POST', path(id, 'resume')))
  if (options.json) printJson(result)
  else printLine(`Resumed ${id}. Its token works again.`)
}

export async function narrowGrant(id: string, options: OwnerCommandOptions & GrantChoice & { connection?: string[] }) {
  const body = { connections: options.connection, ...choiceBody(options) }
  const result = await withOwnerApi(options, (api) =>
    api.request<{ grant: WireGrant }>('POST', path(id, 'narrow'), body),
  )
  if (options.json) return printJson(result)
  printLine(`${id} was replaced. Its token now reads:`)
  for (const line of describeGrant(result.grant)) printLine(line)
}
