import { randomBytes } from 'node:crypto'
import type { TokenStore } from './token-store.ts'

/** Characters that people do not confuse. The separator is not among them. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
const LENGTH = 8
const MAX_PROPOSALS = 5

/**
 * `pdpp_<owner reference>_<secret>`. The reference is random and reveals nothing. It lets a server with many owners
 * know whose data a request is about before it looks up anything.
 */
export const tokenText = (reference: string, secret: string): string => `pdpp_${reference}_${secret}`

/** The reference in a token. Older tokens have none. */
export const referenceIn = (token: string): string | undefined => /^pdpp_([a-z2-7]{8})_[\w-]{43}$/.exec(token)?.[1]

const newReference = (): string => Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')

/** The references of owners, which never change. */
export class OwnerReferences {
  readonly #store: Pick<TokenStore, 'ownerReference'>
  readonly #known = new Map<string, string>()

  constructor(store: Pick<TokenStore, 'ownerReference'>) {
    this.#store = store
  }

  /** Creates the reference with the owner's first token. */
  async of(subjectId: string): Promise<string> {
    const known = this.#known.get(subjectId)
    if (known !== undefined) return known
    for (let proposals = 0; proposals < MAX_PROPOSALS; proposals++) {
      const reference = await this.#store.ownerReference(subjectId, newReference())
      if (reference === undefined) continue
      this.#known.set(subjectId, reference)
      return reference
    }
    throw new Error('No free owner reference was found.')
  }

  /** For code that cannot wait. Call `of` earlier in the same request. */
  known(subjectId: string): string {
    return this.#known.get(subjectId)!
  }
}
