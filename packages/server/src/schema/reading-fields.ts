import { declaredFields, isTime, type StreamDeclaration } from '@pdpp/protocol'
import { type FieldSet, includesField } from '../grants/read-scope.ts'
import { timeFields } from '../records/authored-time.ts'
import { ACTOR_NAMES, BODY_NAMES, CONTAINER_NAMES, TITLE_NAMES } from '../search/evidence/label.ts'

/** Min. fields shown. Fewer say too little about a record. */
const MIN_FIELDS = 4

interface Purposes {
  readonly time?: string | undefined
  readonly actor?: string | undefined
  readonly container?: string | undefined
  readonly title?: string | undefined
  readonly text?: string | undefined
  readonly amount?: string | undefined
}

/** Granted fields that a person would look at, in this order: when, who, where, title, text, amount. */
export function readingFields(stream: StreamDeclaration, usable: FieldSet): string[] {
  const { time, actor, container, title, text, amount } = purposesOf(stream, usable)
  const chosen = [time, actor, container, title, text, amount].filter((name) => name !== undefined)
  const others = usableFields(stream, usable).filter((name) => !chosen.includes(name))
  const kinds = declaredFields(stream)
  const isBytes = (name: string) => ['binary', 'blob'].includes(kinds.get(name)!)
  const plain = others.filter((name) => !isIdentifier(stream, name) && !isBytes(name))
  const secondary = plain.filter((name) => roleOf(stream, name) === 'secondary')
  const fill = [...new Set([...secondary, ...plain, ...others.toSorted((a, b) => +isBytes(a) - +isBytes(b))])].slice(
    0,
    Math.max(0, MIN_FIELDS - chosen.length),
  )
  return [...new Set([...chosen, ...fill])]
}

/**
 * Orders fields: people, then containers, then kinds. Ids only if there is nothing else, because nobody filters by
 * them.
 */
export function byInterest(stream: StreamDeclaration, usable: FieldSet, names: readonly string[]): string[] {
  const { actor, container } = purposesOf(stream, usable)
  const rank = (name: string): number => {
    if (name === actor) return 0
    if (name === container) return 1
    if (roleOf(stream, name) === 'actor' || ACTOR_NAMES.includes(name)) return 2
    if (roleOf(stream, name) === 'place' || CONTAINER_NAMES.includes(name)) return 3
    return 4
  }
  const plain = names.filter((name) => rank(name) < 4 || !isIdentifier(stream, name))
  return (plain.length > 0 ? plain : names).toSorted((a, b) => rank(a) - rank(b))
}

function purposesOf(stream: StreamDeclaration, usable: FieldSet): Purposes {
  const names = usableFields(stream, usable)
  const named = (list: Iterable<string>) => [...list].find((name) => names.includes(name))
  const withRole = (role: string) => names.find((name) => roleOf(stream, name) === role)
  const searched = (stream.query?.search?.lexical_fields ?? []).filter((name) => names.includes(name))
  const kinds = declaredFields(stream)
  const time = timeFields(stream).find((name) => names.includes(name) && kinds.has(name) && isTime(kinds.get(name)!))
  const actor = withRole('actor') ?? named(ACTOR_NAMES)
  const group = stream.query?.group_field
  const container =
    withRole('place') ??
    named(CONTAINER_NAMES) ??
    (group !== undefined && names.includes(group) && !isIdentifier(stream, group) ? group : undefined)
  const title = withRole('primary-title') ?? named(TITLE_NAMES)
  const used = [time, actor, container, title]
  const free = (name: string) => !used.includes(name)
  const text =
    title !== undefined && BODY_NAMES.has(title)
      ? undefined
      : ([...BODY_NAMES].find((name) => names.includes(name) && free(name)) ??
        searched.find((name) => free(name) && roleOf(stream, name) === 'secondary') ??
        searched.find(free))
  return { time, actor, container, title, text, amount: withRole('amount') }
}

/** True for primary keys and references to other records. */
function isIdentifier(stream: StreamDeclaration, name: string): boolean {
  return (stream.primary_key.length === 1 && stream.primary_key[0] === name) || /(^|[_-])ids?$|[a-z]Ids?$/.test(name)
}

function usableFields(stream: StreamDeclaration, usable: FieldSet): string[] {
  return [...declaredFields(stream).keys()].filter((name) => includesField(usable, name))
}

function roleOf(stream: StreamDeclaration, name: string): unknown {
  return (stream.schema['properties'] as Record<string, Record<string, unknown>>)[name]?.['x_pdpp_role']
}
