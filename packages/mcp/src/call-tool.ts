import { checkArguments } from './arguments.ts'
import type { Entrypoint } from './entrypoint.ts'
import { failureResult } from './failure.ts'
import { objectOf } from './resource-server/envelope.ts'
import type { ResourceServer } from './resource-server/resource-server.ts'
import type { ToolResult } from './result.ts'

export function hasTool({ tools }: Entrypoint, name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(tools, name)
}

/** The one way into a tool, for every transport. It never throws: a model can act on a result only. */
export async function callTool(
  { definitions, tools }: Entrypoint,
  server: ResourceServer,
  tool: string,
  given: unknown,
  signal?: AbortSignal,
): Promise<ToolResult> {
  try {
    const definition = definitions.find(({ name }) => name === tool)!
    return await tools[tool]!({ server, tool, args: checkArguments(definition, given), signal })
  } catch (error) {
    return failureResult(error, objectOf(given)['stream'])
  }
}
