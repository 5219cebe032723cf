// The same read on each surface: `/v1` itself, the hosted adapter, and the one on the user's machine.
import type { Access } from '../../conformance/adapter/fixtures/agent.ts'
import type { World } from '../../conformance/adapter/fixtures/world.ts'

export const SURFACES = ['rest', 'hosted', 'stdio'] as const
export type Surface = (typeof SURFACES)[number]

/** One read, as a route with its query and as a tool with its arguments. */
export interface Read {
  readonly path: string
  readonly query: Record<string, string>
  readonly tool: string
  readonly args: Record<string, unknown>
}

/** The result: the code of a refusal, or the body as `/v1` gives it. */
export interface Seen {
  readonly code?: string
  readonly body?: any
}

export async function seen(world: World, surface: Surface, access: Access, read: Read): Promise<Seen> {
  if (surface === 'rest') {
    const body: any = await world.rest(`${read.path}?${new URLSearchParams(read.query)}`, access.token)
    return body.error ? { code: body.error.code } : { body }
  }
  const agent = await world.agent(`${surface} 2026-07-28`, access)
  try {
    const { structured } = await agent.call(read.tool, read.args)
    return structured.error ? { code: structured.error.code } : { body: structured.data }
  } catch (thrown) {
    // On the hosted surface, an ended grant is refused before any tool is called.
    const code = /"pdpp_code":"(\w+)"/.exec(String(thrown))?.[1]
    if (code === undefined) throw thrown
    return { code }
  }
}

/** A page of a stream. */
export function page(stream: string, more: Record<string, string | number> = {}): Read {
  const texts = Object.entries(more).map(([name, value]): [string, string] => [name, String(value)])
  return {
    path: `/v1/streams/${stream}/records`,
    query: Object.fromEntries(texts),
    tool: 'query_records',
    args: { stream, ...more },
  }
}

export function find(query: string, more: Record<string, string | number> = {}): Read {
  const texts = Object.entries(more).map(([name, value]): [string, string] => [name, String(value)])
  return {
    path: '/v1/search',
    query: { q: query, ...Object.fromEntries(texts) },
    tool: 'search',
    args: { query, ...more },
  }
}
