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
 * The one way into a tool, for every transport. It never throws: a model can act on a result only. And the one way
 * out: hidden characters are written out in every string of every result, unless the call asks for exact text.
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
