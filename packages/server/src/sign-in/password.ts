// Default import, because a named import of argon2 would stop the whole server on a Node that lacks it.
import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { PdppError } from '@pdpp/protocol'

/** OWASP's recommendation for argon2id: 19 MiB, two passes. Takes a fraction of a second even on small machines. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{43})$/
const MIN_CHARS = 12
const MAX_BYTES = 1024

/** Checks only the length and allows any characters, as NIST SP 800-63B recommends. */
export function checkPassword(password: string): string {
  if ([...password].length < MIN_CHARS)
    throw new PdppError('invalid_argument', `A password needs at least ${MIN_CHARS} characters.`, {
      param: 'password',
      nextStep: 'Choose a longer one, such as a few words that you can remember.',
    })
  if (Buffer.byteLength(password) > MAX_BYTES)
    throw new PdppError('invalid_argument', `A password may have at most ${MAX_BYTES} bytes.`, { param: 'password' })
  return password
}

/** The argon2id hash in PHC form. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = crypto.randomBytes(16)
  const tag = await derive(password, nonce, COST)
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

/** Takes the same time without a stored password, because it then hashes as well and compares with zeros. */
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = PHC.exec(stored ?? '') ?? []
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const known = tag === undefined ? undefined : Buffer.from(tag, 'base64')
  const bounded = Buffer.from(password)
    .subarray(0, MAX_BYTES + 1)
    .toString()
  const derived = known
    ? await derive(bounded, Buffer.from(nonce!, 'base64'), cost)
    : await derive(bounded, Buffer.alloc(16), COST)
  return crypto.timingSafeEqual(derived, known ?? Buffer.alloc(TAG_BYTES)) && known !== undefined
}

/** Normalises the text, because keyboards encode the same é differently (NIST SP 800-63B). */
async function derive(password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> {
  if (typeof crypto.argon2 !== 'function')
    throw new PdppError(
      'api_error',
      `Passwords need Node 24.7 or newer; this server runs on ${process.versions.node}.`,
      {
        nextStep: 'Run the server with a newer Node, or sign in with links from `pdpp owner login`.',
      },
    )
  const message = Buffer.from(password.normalize('NFKC'))
  return promisify(crypto.argon2)('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost })
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
