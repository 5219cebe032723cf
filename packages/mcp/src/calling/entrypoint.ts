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
export interface Entrypoint {
  /** The name of the server and of the command that starts it. */
  readonly name: string
  readonly title: string
  readonly instructions: string
  readonly definitions: readonly ToolDefinition[]
  readonly tools: Readonly<Record<string, Tool>>
  /** The surface in the owner's receipts for reads over the network. */
  readonly surface: string
}
