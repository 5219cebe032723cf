/** Shared by `pdpp doctor` and the server's self-test: requests, checks and their results. */
export { type Check, type CheckResult, inTurn, type NamedCheckResult, type State } from '../doctor/check.ts'
export { broken, ok, skipped, warning } from '../doctor/check-result.ts'
export { connectionChecks } from '../doctor/connection-checks.ts'
export { initializeParams, LEGACY, MODERN, mcpCall } from '../doctor/mcp-call.ts'
export { endpoint, metadataUrl } from '../doctor/metadata.ts'
export { type Answer, errorOf, form, jsonBody, request } from '../doctor/request.ts'
