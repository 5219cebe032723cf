// Sends one request over HTTP, and writes down its answer as a record has it.
import { createHash } from 'node:crypto'
import { laidOut } from './layout.ts'
import { normalise, withoutWords, wordsOfErrors } from './normalise.ts'
import type { Request } from './request.ts'
import { filledIn, type World } from './world.ts'

// Headers that depend on the connection or the clock.
const leftOut = ['connection', 'date', 'keep-alive', 'transfer-encoding']

export async function ask(world: World, request: Request): Promise<string> {
  const { status, headers, bytes } = await send(world, request)
  const isJson = headers.get('content-type')?.startsWith('application/json') ?? false
  const shown = [...headers]
    .filter(([name]) => !leftOut.includes(name) && !(isJson && name === 'content-length'))
    .map(([name, value]) => `${name}: ${value}`)
  return recorded(world, request, [String(status), ...shown], isJson ? bytes.toString('utf8') : digest(bytes))
}

async function send(world: World, { as, method, path, headers, body }: Request) {
  const filledPath = filledIn(path, world)
  const filledBody = body === undefined ? undefined : filledIn(body, world)
  if (as === 'owner') {
    const answer = await world.owner(method, filledPath, filledBody, headers)
    return { ...answer, bytes: Buffer.from(answer.text) }
  }
  const token = world.tokens.get(as)
  const response = await fetch(world.url + filledPath, {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    redirect: 'manual',
    ...(filledBody === undefined ? {} : { body: filledBody }),
  })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

const digest = (bytes: Buffer) =>
  bytes.length === 0 ? '' : `${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`

/** The text of the file for an answer over HTTP or over stdio. */
export function recorded(world: World, request: Request, head: readonly string[], text: string): string {
  world.answers.set(request.name, text)
  const words = text.startsWith('{') ? wordsOfErrors(JSON.parse(text)) : []
  const escaped = words.map((each) => JSON.stringify(each).slice(1, -1))
  // Normalises headers and body together, so that a value has the same name in both.
  const whole = `${withoutWords(head.join('\n'), words)}\n\n${withoutWords(text, escaped)}`
  const [status = '', ...rest] = normalise(whole, world).split('\n\n')
  const body = rest.join('\n\n')
  return `## ${request.name}\n\n${request.shown}\nas ${request.as}\n\n${status}\n\n${laidOut(body) ?? body}\n`
}
