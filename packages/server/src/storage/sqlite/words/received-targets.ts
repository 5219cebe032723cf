import type { SearchedStream } from '../../../search/search-store.ts'
import { openTargets, targetsName } from '../../words/sent-targets.ts'
import type { Handle } from '../engine/database.ts'
import { readDeclaration } from '../sources/declaration-reader.ts'
import { keptPlans } from './plans/kept-plans.ts'

const MAX_KEPT_BYTES = 32 * 1024

/** Lists of targets that a thread reads ahead after a write. */
const MAX_AHEAD = 2

/** The lists of targets that a thread searched last, as they were sent. */
export class LastTargets {
  readonly #texts = new Map<string, string>()

  get texts(): Iterable<string> {
    return this.#texts.values()
  }

  note(text: string): void {
    if (text.length > MAX_KEPT_BYTES) return
    const name = targetsName(text)
    this.#texts.delete(name)
    this.#texts.set(name, text)
    if (this.#texts.size > MAX_AHEAD) this.#texts.delete(this.#texts.keys().next().value!)
  }
}

/** The targets that another thread sent. Returns the same list for the same text while only records are written. */
export function receivedTargets(handle: Handle, text: string): readonly SearchedStream[] {
  if (text.length > MAX_KEPT_BYTES) return readTargets(handle, text)
  const { targets } = keptPlans(handle)
  const name = targetsName(text)
  return targets.get(name) ?? targets.set(name, readTargets(handle, text))
}

const readTargets = (handle: Handle, text: string): SearchedStream[] =>
  openTargets(text, ({ subjectId, connectorKey }) => readDeclaration(handle, subjectId, connectorKey))
