import { randomFillSync } from 'node:crypto'

const ID_BYTES = 12
/** Random bytes for many ids at once, because each request for random bytes is expensive. */
const random = Buffer.alloc(ID_BYTES * 128)
let used = random.length

/** An id that nobody can guess or enumerate: a readable prefix and 96 random bits. */
export function newId(prefix: string): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += ID_BYTES
  return `${prefix}_${random.toString('hex', used - ID_BYTES, used)}`
}
