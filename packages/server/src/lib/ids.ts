import { randomBytes } from 'node:crypto'

/** Ids that nobody can guess or enumerate: a readable prefix and 96 random bits. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
