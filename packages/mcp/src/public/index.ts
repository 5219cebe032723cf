/** Public exports of @pdpp/mcp-server, for the server's /mcp and the command line. */
export { callTool, hasTool } from '../calling/call-tool.ts'
export type { Entrypoint, ToolDefinition } from '../calling/entrypoint.ts'
export { type CachedCredential, CredentialCache, cacheRoot } from '../credentials/credential-cache.ts'
export { TOOL_NAMES, TOOLS, type ToolName } from '../entrypoints/definitions.ts'
export { INSTRUCTIONS } from '../entrypoints/instructions/normal.ts'
export { type Identity, identity, mcpServer } from '../entrypoints/mcp-server.ts'
export { NORMAL } from '../entrypoints/normal.ts'
export { takePart } from '../resource-server/answer-body.ts'
export { parseBody, withSource } from '../resource-server/envelope.ts'
export { type BearerSource, HttpResourceServer } from '../resource-server/http-resource-server.ts'
export {
  type BytesRead,
  type BytesReply,
  type Read,
  type Reply,
  type ResourceServer,
  rangeHeader,
} from '../resource-server/resource-server.ts'
export { readServerFeatures, type ServerFeatures } from '../resource-server/server-features.ts'
export {
  SUBSCRIPTIONS,
  type SubscriptionServer,
  type SubscriptionWrite,
  subscriptionPath,
} from '../resource-server/subscription-server.ts'
export { answerHosted, type HostedAnswer, type HostedCall } from '../transports/hosted/hosted-mcp.ts'
export { runStdio } from '../transports/stdio/run-stdio.ts'
