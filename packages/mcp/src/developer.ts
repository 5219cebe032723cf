/** The developer entrypoint: what the server mounts at /mcp/developer, and the command beside it starts. */
export { BLOB_WINDOW_BYTES } from './developer/definitions.ts'
export { DEVELOPER } from './developer/entrypoint.ts'
