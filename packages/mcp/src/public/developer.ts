/** The developer entrypoint, for /mcp/developer and the command `pdpp-mcp-server-developer`. */

export { DEVELOPER } from '../entrypoints/developer.ts'
export { BLOB_WINDOW_BYTES } from '../tools/fetch-blob/definition.ts'
