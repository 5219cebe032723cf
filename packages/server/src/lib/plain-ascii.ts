/** Replaces characters that RFC 6749 section 5.2 does not allow in `error_description`. */
export function plainAscii(text: string): string {
  return text.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
