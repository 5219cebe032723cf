/** What `pdpp doctor` and the self-test of a server share: one request, one finding, and the way in step by step. */
export { type Check, type CheckResult, inTurn, type NamedCheckResult, type State } from './checks/check.ts'
export { broken, ok, skipped, warning } from './checks/check-result.ts'
export { connectionChecks } from './checks/connection-checks.ts'
export { initializeParams, LEGACY, MODERN, mcpCall } from './checks/mcp-call.ts'
export { endpoint, metadataUrl } from './checks/metadata.ts'
export { type Answer, errorOf, form, jsonBody, request } from './checks/request.ts'
