import { objectOf } from '../resource-server/envelope.ts'
import type { ResourceServer } from '../resource-server/resource-server.ts'
import { checkArguments } from './arguments.ts'
import type { AnyEntrypoint, Entrypoint } from './entrypoint.ts'
import { failureResult } from './failure.ts'
import { escapedResult, type ToolResult } from './result.ts'

export function hasTool({ tools }: AnyEntrypoint, name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(tools, name)
}

/**
 * Every transport calls tools through this function. It never throws, because a model only sees results. It escapes
 * hidden characters in every string of every result, unless the call asks for exact text.
 */
export async function callTool<Server extends ResourceServer>(
  { definitions, tools }: Entrypoint<Server>,
  server: Server,
  tool: string,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolResult> {
  try {
    const definition = definitions.find(({ name }) => name === tool)!
    const args = checkArguments(definition, given)
    const result = await tools[tool]!({ server, tool, args, signal })
    return args['exact'] === true ? result : escapedResult(result)
  } catch (error) {
    return escapedResult(failureResult(error, objectOf(given)['stream']))
  }
}
