import { CachedBearer, objectOf, textOf } from '@pdpp/mcp-server/client'
import {
  broken,
  type Check,
  type CheckResult,
  initializeParams,
  LEGACY,
  MODERN,
  mcpCall,
  ok,
  skipped,
  warning,
} from '@pdpp/mcp-server/doctor'
import type { Connected } from '../../provider/connected.ts'
import { reachText } from '../../provider/grant-text.ts'
import { Reader } from '../../provider/reader.ts'
import { exitForStatus } from '../../terminal/exit-codes.ts'
import { nextStepOf } from '../../terminal/failure.ts'

const TOOLS = ['schema', 'query_records', 'aggregate', 'search', 'fetch', 'read_record_field']

/** Runs the steps of a host that has a token. Without a cached token, reading is not checked. */
export function readingChecks(url: string, connection: Connected | undefined): Check[] {
  if (connection === undefined)
    return [
      {
        name: 'Token',
        run: () =>
          skipped(
            'you are not connected to this server, so reading was not checked',
            `Connect first: pdpp connect ${url}`,
          ),
      },
    ]
  const bearers = new CachedBearer(connection.cache, connection.grant, () => {})
  const mcp = async (era: typeof LEGACY | typeof MODERN, method: string, params?: Record<string, unknown>) =>
    mcpCall(`${url}/mcp`, await bearers.current(), era, method, params)
  let searched: Record<string, unknown> = {}
  return [
    { name: 'Token', run: () => token(connection) },
    {
      name: `MCP of 2025 (${LEGACY})`,
      run: async () => mcpCheck(await mcp(LEGACY, 'initialize', initializeParams), 'protocolVersion'),
    },
    {
      name: `MCP of 2026 (${MODERN})`,
      run: async () => modernCheck(await mcp(MODERN, 'server/discover')),
    },
    { name: 'Tools', run: async () => tools((await mcp(LEGACY, 'tools/list')).result) },
    {
      name: 'A search',
      run: async () => {
        const { result, error } = await mcp(LEGACY, 'tools/call', {
          name: 'search',
          arguments: { query: 'the', limit: 1 },
        })
        searched = objectOf(objectOf(result['structuredContent'])['data'])
        if (error === undefined && result['isError'] !== true && Array.isArray(result['content'])) return ok('answered')
        return broken(
          `refused: ${textOf(error?.['message']) ?? textOf(objectOf(objectOf(result['structuredContent'])['error'])['message']) ?? 'without a reason'}`,
          "Look at the server's output.",
        )
      },
    },
    { name: 'Search index', run: () => index(searched) },
  ]
}

async function token(connection: Connected): Promise<CheckResult> {
  const reader = new Reader(connection)
  try {
    const schema = await reader.get('/v1/schema', [['view', 'compact']])
    return ok(`may read ${reachText(schema).join('; ') || 'nothing'}`)
  } catch (error) {
    const { message, exitCode } = error as { message: string; exitCode?: number }
    return broken(message, nextStepOf(error) ?? 'Connect again.', exitCode)
  }
}

type McpAnswer = Awaited<ReturnType<typeof mcpCall>>

function mcpCheck({ answer, result, error }: McpAnswer, member: string): CheckResult {
  if (answer.status === 200 && error === undefined && result[member] !== undefined) return ok('supported')
  const says = `answered ${answer.status}${error === undefined ? '' : `: ${textOf(error['message']) ?? 'an error'}`}`
  if (answer.status === 401 || answer.status === 403)
    return broken(says, 'The token is not valid for /mcp: connect again, and allow both.', exitForStatus(answer.status))
  return broken(says, "Hosts with this version of MCP can't use it. Update the server.")
}

/** A server without the newer protocol is only a warning, because most hosts still speak the older one. */
function modernCheck(reply: McpAnswer): CheckResult {
  const { answer, error } = reply
  if (answer.status === 401 || answer.status === 403) return mcpCheck(reply, 'supportedVersions')
  if (answer.status === 200 && error === undefined && reply.result['supportedVersions'] !== undefined)
    return ok('supported')
  return warning(
    `not supported: the server speaks MCP up to ${LEGACY}`,
    'Hosts that know both versions use the older one. For all others, update the server.',
  )
}

function tools(result: Record<string, unknown>): CheckResult {
  const names = (Array.isArray(result['tools']) ? result['tools'] : []).map((tool) => String(objectOf(tool)['name']))
  const missing = TOOLS.filter((name) => !names.includes(name))
  if (missing.length > 0) return broken(`${missing.join(', ')} is missing`, 'Update the server.')
  const others = names.filter((name) => !TOOLS.includes(name))
  return others.length === 0
    ? ok(names.join(', '))
    : warning(`also lists ${others.join(', ')}`, 'Connect agents to the normal endpoint, /mcp.')
}

function index(body: Record<string, unknown>): CheckResult {
  const { state, indexed_through: through } = objectOf(objectOf(body['meta'])['index'])
  if (state === undefined) return skipped('the server does not say')
  return state === 'current'
    ? ok(`current${typeof through === 'string' ? `, through ${through.slice(0, 16).replace('T', ' ')}` : ''}`)
    : warning(`${state}: some items are not found yet`, 'Wait. The server finishes the index while it runs.')
}
