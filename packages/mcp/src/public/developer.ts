/** The developer entrypoint, for /mcp/developer and the command `pdpp-mcp-server-developer`. */

export { DEVELOPER } from '../entrypoints/developer.ts'
export { ChangeListener, type StreamChange } from '../listening/change-listener.ts'
export { EVENT_META_KEY } from '../listening/updated-notification.ts'
export { BLOB_WINDOW_BYTES } from '../tools/fetch-blob/definition.ts'
export {
  answerListening,
  type HostedStream,
  type ListenerPlace,
  type ListeningCall,
} from '../transports/hosted/hosted-listening.ts'
