import type { StreamDeclaration } from '@pdpp/protocol'

/** What the bytes of a binary field are, as far as its source declares it. */
export function mediaTypeOf({ schema }: StreamDeclaration, field: string): string {
  const property = (schema['properties'] as Record<string, Record<string, unknown>>)[field]
  const declared = property?.['contentMediaType']
  return typeof declared === 'string' ? declared : 'application/octet-stream'
}
