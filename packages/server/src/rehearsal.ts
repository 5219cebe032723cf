import type { DirectRoutes } from './http/direct/direct-routes.ts'
import type { ExampleWords } from './storage/contract.ts'

/** V8 compiles code only after it has run a few times. */
const ROUNDS = 12

export interface Rehearsal {
  /** The server's own address. */
  readonly address: string
  readonly subjectId: string
  readonly words: ExampleWords
  /** True while a client's read runs in a thread. */
  readonly isBusy: () => boolean
}

/**
 * Searches that nobody asked for, after a start: they pass the same routes as a client's, so that for the first client
 * the code is compiled and the index is in memory. They read as the owner, which writes no receipt. A client's search
 * ends the rehearsal, because from then on it would only delay others.
 */
export async function rehearse(routes: DirectRoutes, { address, subjectId, words, isBusy }: Rehearsal): Promise<void> {
  const headers = { host: new URL(address).host }
  const env = { pdppAuthority: { kind: 'owner', subjectId } }
  for (let round = 0; round < ROUNDS; round++)
    for (const query of queriesOf(words, round)) {
      if (isBusy()) return
      await routes.answer({ target: `/v1/search?q=${encodeURIComponent(query)}&limit=10`, headers, env })
    }
}

/** Other words in each round, because what is cached is not computed again. */
function queriesOf({ common, rare }: ExampleWords, round: number): string[] {
  const [often, seldom] = [common, rare].map((list) => list[round % list.length])
  return [often, seldom, often && seldom && `${often} ${seldom}`].filter((query) => query !== undefined)
}
