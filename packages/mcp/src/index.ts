/** The public list of @pdpp/mcp-server: what the server mounts at /mcp and the command line starts. */
export { callTool, hasTool } from './call-tool.ts'
export { type CachedCredential, CredentialCache, cacheRoot } from './credentials/credential-cache.ts'
export { TOOL_NAMES, TOOLS, type ToolName } from './definitions.ts'
export type { Entrypoint, ToolDefinition } from './entrypoint.ts'
export { answerHosted, type HostedAnswer, type HostedCall } from './hosted/hosted-mcp.ts'
export { type Identity, identity } from './identity.ts'
export { INSTRUCTIONS } from './instructions.ts'
export { mcpServer } from './mcp-server.ts'
export { NORMAL } from './normal.ts'
export { takePart } from './resource-server/answer-body.ts'
export { type BearerSource, HttpResourceServer } from './resource-server/http-resource-server.ts'
export {
  type BytesRead,
  type BytesReply,
  type Read,
  type Reply,
  type ResourceServer,
  rangeHeader,
} from './resource-server/resource-server.ts'
export { readServerFeatures, type ServerFeatures } from './resource-server/server-features.ts'
export { runStdio } from './stdio/run-stdio.ts'
