/** The developer entrypoint: what the server mounts at /mcp/developer, and the command beside it starts. */

export { DEVELOPER } from '../entrypoints/developer.ts'
export { BLOB_WINDOW_BYTES } from '../tools/fetch-blob/definition.ts'
