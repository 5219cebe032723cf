import type { ResourceServer } from '../resource-server/resource-server.ts'
import type { Tool } from './tool.ts'

/** A tool as `tools/list` says it. */
export interface ToolDefinition {
  readonly name: string
  /** What people see in a host. */
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] }
  readonly outputSchema: object
  readonly annotations: object
}

/**
 * One MCP server: what it is called, what it tells a model, what it lists and what its tools do. Which of them serves
 * is decided by the address or the command that was called, never by an option of another (000.1).
 */
export interface Entrypoint<Server extends ResourceServer = ResourceServer> {
  /** Also the name of the command that starts it. */
  readonly name: string
  readonly title: string
  readonly instructions: string
  readonly definitions: readonly ToolDefinition[]
  readonly tools: Readonly<Record<string, Tool<Server>>>
  /** True if a host can listen to changes of a stream. */
  readonly listens: boolean
  /** What the owner's receipts call its readers, where they come over the network. */
  readonly surface: string
}

/** An entrypoint whose tools are not called here. */
export type AnyEntrypoint = Entrypoint<never>
