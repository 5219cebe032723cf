import { randomUUID } from 'node:crypto'

/** An id that nobody can guess or enumerate: a readable prefix and 92 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}
