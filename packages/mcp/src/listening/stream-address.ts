import { isName } from '@pdpp/protocol/reading'

/** One stream of one connection: the unit that a host can listen to. */
export interface StreamAddress {
  readonly uri: string
  readonly connectionId: string
  readonly stream: string
}

/** Listed by entrypoints that allow listening. */
export const STREAM_TEMPLATE = {
  uriTemplate: 'pdpp://stream/{connection_id}/{stream}',
  name: 'stream-of-connection',
  mimeType: 'text/plain',
  description: 'What a stream of one source holds. Subscribe to hear of its changes.',
} as const

const FORM = /^pdpp:\/\/stream\/([^/?#]+)\/([^/?#]+)$/

export function parseStreamUri(uri: string): StreamAddress | undefined {
  const [, connection, name] = FORM.exec(uri) ?? []
  const [connectionId, stream] = [decoded(connection), decoded(name)]
  if (connectionId === undefined || stream === undefined || !isName(connectionId) || !isName(stream)) return
  return { uri, connectionId, stream }
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return
  }
}
