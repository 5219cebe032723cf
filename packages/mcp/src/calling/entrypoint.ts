import type { ResourceServer } from '../resource-server/resource-server.ts'
import type { Tool } from './tool.ts'

/** A tool in `tools/list`. */
export interface ToolDefinition {
  readonly name: string
  /** The name that hosts show to people. */
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
  readonly outputSchema: object
  readonly annotations: object
}

/**
 * One MCP server: its name, instructions, tool list and tools. The address or the command chooses the entrypoint, never
 * an option (000.1).
 */
export interface Entrypoint<Server extends ResourceServer = ResourceServer> {
  /** The name of the server and of the command that starts it. */
  readonly name: string
  readonly title: string
  readonly instructions: string
  readonly definitions: readonly ToolDefinition[]
  readonly tools: Readonly<Record<string, Tool<Server>>>
  /** True if a host can listen to changes of a stream. */
  readonly listens: boolean
  /** The surface that the owner's receipts name for reads over the network. */
  readonly surface: string
}

/** An entrypoint of any kind, for code that does not call its tools. */
export type AnyEntrypoint = Entrypoint<never>
