import type { Person } from './records.ts'

/** The people of a conversation with a model. The owner has no name in such exports and is called "User". */
export const USER: Person = { id: 'user', name: 'User', role: 'user', isSelf: true }

export const SYSTEM: Person = { id: 'system', name: 'System', role: 'system' }

export const assistant = (name: string): Person => ({ id: 'assistant', name, role: 'assistant' })

export const tool = (name = 'tool'): Person => ({ id: `tool:${name}`, name, role: 'tool' })

/** Max. characters of a name that is made from the first words of a conversation. */
const MAX_NAME_CHARS = 80

/** A name for a conversation that has none: the first line of the first question. */
export function nameFrom(text: string): string | undefined {
  const line = text
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '')
  if (line === undefined || line.length <= MAX_NAME_CHARS) return line
  return `${line.slice(0, MAX_NAME_CHARS - 1).toWellFormed()}…`
}
