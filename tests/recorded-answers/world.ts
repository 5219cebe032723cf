// The demo owner's server, with all grants and packages whose tokens send requests.

import { copyDemo } from '../fixtures/demo-data.ts'
import type { Answer } from '../fixtures/http.ts'
import { temporaryDirectory } from '../fixtures/processes.ts'
import { type Call, testServer } from '../fixtures/server.ts'
import { changes, grants, packages } from './holders.ts'
import { oddDeclaration, oddLines } from './odd-data.ts'

export interface World {
  readonly url: string
  readonly dataDir: string
  readonly owner: Call
  readonly tokens: ReadonlyMap<string, string>
  /** The answers so far, by name. They include those that created tokens. */
  readonly answers: Map<string, string>
  /** Known random values, each with the words that replace it in a record. */
  readonly known: ReadonlyMap<string, string>
  /** The time before the first data was written. */
  readonly since: number
}

export async function openWorld(): Promise<World> {
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  // A fixed public address gives every answer the same length, although the port changes from run to run.
  const { server, owner } = await testServer({ dataDir, publicUrl: 'http://localhost:7662' })
  const post: Post = async (path, body) => {
    const answer = await owner('POST', path, body)
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer
  }
  await addOddThings(post)
  const holders = await makeHolders(post)
  const { body } = await owner('GET', '/v1/owner/connections')
  const since = Math.min(...body.data.map((each: { created_at: string }) => Date.parse(each.created_at)))
  return { url: server.url, dataDir, owner, since, ...holders }
}

type Post = (path: string, body: object | string) => Promise<Answer>

async function addOddThings(post: Post): Promise<void> {
  await post('/connectors', oddDeclaration)
  await post('/v1/owner/connections', { connector_key: 'odd', connection_id: 'odd', display_name: 'Odd things' })
  for (const [stream, lines] of Object.entries(oddLines)) {
    const { body } = await post(`/v1/ingest/${stream}?connection_id=odd`, lines)
    if (body.records_rejected > 0) throw new Error(JSON.stringify(body.rejections))
  }
}

async function makeHolders(post: Post): Promise<Pick<World, 'tokens' | 'answers' | 'known'>> {
  const [tokens, answers, known] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()]
  const ids = new Map<string, string>()
  const make = async (holder: string, path: string, body: object) => {
    const made = await post(path, body)
    const id: string = made.body.grant_id ?? made.body.package_id
    ids.set(holder, id)
    tokens.set(holder, made.body.access_token)
    answers.set(holder, made.text)
    known.set(id, `<id of ${holder}>`).set(made.body.access_token, `<token of ${holder}>`)
  }
  const client = { client_name: 'Recorder', client_id: 'recorder', expires_at: '2099-01-01T00:00:00Z' }
  for (const [holder, asked] of Object.entries(grants)) await make(holder, '/v1/owner/grants', { ...client, ...asked })
  for (const [holder, members] of Object.entries(packages))
    await make(holder, '/v1/owner/packages', { grants: members.map((member) => ids.get(member)) })
  for (const [holder, action, body = {}] of changes) {
    const kind = holder in packages ? 'packages' : 'grants'
    const changed = await post(`/v1/owner/${kind}/${ids.get(holder)}/${action}`, body)
    if (action === 'narrow') known.set(changed.body.grant_id, `<new id of ${holder}>`)
  }
  return { tokens, answers, known }
}

/** Replaces names of values by the values of earlier answers. */
export function filledIn(text: string, { answers }: World): string {
  return text.replace(/\{(\w+) of ([^{}]+)\}/g, (all, member, name) => {
    const value = new RegExp(`"${member}":"([^"]+)"`).exec(answers.get(name) ?? '')?.[1]
    if (value === undefined) throw new Error(`There is no ${all}.`)
    return value
  })
}
