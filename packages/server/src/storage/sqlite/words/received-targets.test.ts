import { expect, test } from 'vitest'
import type { ReadScope } from '../../../grants/read-scope.ts'
import type { SearchedStream } from '../../../search/search-store.ts'
import { sentTargets } from '../../words/sent-targets.ts'
import type { Handle } from '../engine/database.ts'
import { LastTargets, receivedTargets } from './received-targets.ts'

/** A handle of another thread that has no declarations. Nobody writes to its file. */
function emptyHandle(): Handle {
  const cached = new Map<string, unknown>()
  return {
    db: { readonly: true },
    cachedUntilWrite: (name: string, read: () => unknown) => {
      if (!cached.has(name)) cached.set(name, name.startsWith('[') ? undefined : name === 'plan version' ? 1 : read())
      return cached.get(name)
    },
  } as unknown as Handle
}

const scope: ReadScope = {
  ...{ subjectId: 'owner', accessId: 'g', connectorKey: 'mail', connections: ['a'], chosenConnection: undefined },
  ...{ usable: ['text'], projection: ['text'], resources: undefined, stream: { name: 'notes' } },
  // A limit that no time satisfies must arrive unchanged.
  time: { field: 'at', since: Number.NaN, until: undefined },
} as never
const targets: SearchedStream[] = [
  { scope, fields: ['text'], conditions: [{ field: 'n', operator: 'eq', value: 2n ** 63n } as never] },
]

test('limits arrive exactly', () => {
  const [received] = receivedTargets(emptyHandle(), sentTargets(targets))
  expect(received!.scope.time).toEqual({ field: 'at', since: Number.NaN, until: undefined })
  expect(received!.conditions[0]!.value).toBe(2n ** 63n)
})

test('nothing can be read of a stream that is not declared', () => {
  const [received] = receivedTargets(emptyHandle(), sentTargets(targets))
  expect(received!.scope.connections).toEqual([])
})

test('the same targets arrive as the same list', () => {
  const handle = emptyHandle()
  expect(receivedTargets(handle, sentTargets(targets))).toBe(receivedTargets(handle, sentTargets([...targets])))
})

test('the two lists that were searched last are remembered', () => {
  const last = new LastTargets()
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(100))
  for (const at of [0, 1, 0, 2, 2]) last.note(texts[at]!)
  last.note('x'.repeat(100_000))
  expect([...last.texts]).toEqual([texts[0], texts[2]])
})
