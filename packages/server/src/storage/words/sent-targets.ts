import { hash } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import type { SourceDeclaration } from '@pdpp/protocol'
import { receivedScope, type SentScope, sentScope } from '../../grants/enforce.ts'
import type { SearchedStream } from '../../search/search-store.ts'

/** A target in the form in which one thread sends it to another. */
export interface SentTarget extends Omit<SearchedStream, 'scope'> {
  readonly scope: SentScope
}

/** Characters of a name, which is a SHA-256 in hexadecimal. */
const NAME_CHARS = 64

/** A client often searches the same list of targets again, so its text is cached. */
const sent = new WeakMap<readonly SearchedStream[], string>()

/**
 * All targets as one text, so that a thread can recognise a list that it got before. The text keeps every kind of value
 * exactly. It begins with its name.
 */
export function sentTargets(targets: readonly SearchedStream[]): string {
  const known = sent.get(targets)
  if (known !== undefined) return known
  const list: SentTarget[] = targets.map(({ scope, fields, conditions }) => ({
    ...{ scope: sentScope(scope), fields, conditions },
  }))
  const bytes = serialize(list)
  const text = hash('sha256', bytes, 'hex') + bytes.toString('latin1')
  sent.set(targets, text)
  return text
}

/** Equal texts have equal names. A name is short, so that looking it up takes no time. */
export const targetsName = (text: string): string => text.slice(0, NAME_CHARS)

/** The inverse of `sentTargets`, in another thread. `declarationOf` finds the declaration of a source. */
export function openTargets(
  text: string,
  declarationOf: (scope: SentScope) => SourceDeclaration | undefined,
): SearchedStream[] {
  const list = deserialize(Buffer.from(text.slice(NAME_CHARS), 'latin1')) as readonly SentTarget[]
  return list.map(({ scope, fields, conditions }) => {
    const declared = declarationOf(scope)?.streams.find(({ name }) => name === scope.streamName)
    return { scope: receivedScope(scope, declared), fields, conditions }
  })
}
