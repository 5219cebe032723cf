// A real SDK client in one of the four ways that hosts connect. Every result it gets is held to its tool's own schema.
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv } from '@modelcontextprotocol/client/validators/ajv'
import { RESULT_BYTES } from '@pdpp/protocol'
import { describe, expect } from 'vitest'

/** What a token is, and where it is used. */
export interface Access {
  readonly id: string
  readonly token: string
}

export interface Place {
  readonly server: { readonly url: string }
  /** What the stdio adapter speaks to. */
  readonly proxy: { readonly url: string }
  readonly cacheRoot: string
  readonly dataDir: string
}

export const AGENT_KINDS = ['stdio 2025-11-25', 'stdio 2026-07-28', 'hosted 2025-11-25', 'hosted 2026-07-28'] as const
export type AgentKind = (typeof AGENT_KINDS)[number]

/** The two servers that there are: each has its own command and its own address. */
export type Entry = 'normal' | 'developer'

const bin = (name: string) => join(import.meta.dirname, '..', '..', '..', 'packages', 'mcp', 'bin', `${name}.mjs`)
export const ADAPTER = bin('pdpp-mcp-server')
export const DEVELOPER_ADAPTER = bin('pdpp-mcp-server-developer')

export interface Result {
  /** What follows the text: only the developer entrypoint gives files. */
  readonly media: readonly any[]
  readonly text: string
  readonly structured: any
  readonly isError: boolean
}

export interface Agent {
  readonly kind: AgentKind
  readonly isStdio: boolean
  readonly client: Client
  readonly access: Access
  /** Whatever comes back, held to the schema of the tool and to the byte budgets. */
  call(tool: string, args?: object): Promise<Result>
  /** A call that must succeed. */
  use(tool: string, args?: object): Promise<Result>
  /** The text alone, as a host gives it that hides structured output. */
  read(tool: string, args?: object): Promise<string>
  /** The error of a call that must be refused; text and structured output say the same. */
  refusal(tool: string, args?: object): Promise<any>
  close(): Promise<void>
}

export async function connectAgent(
  kind: AgentKind,
  place: Place,
  access: Access,
  entry: Entry = 'normal',
): Promise<Agent> {
  const [transport, version] = kind.split(' ') as ['stdio' | 'hosted', string]
  const client = new Client(
    { name: 'conformance', version: '1' },
    version === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: version } } },
  )
  await client.connect(transport === 'stdio' ? stdio(place, access, entry) : hosted(place, access, entry))
  expect(client.getNegotiatedProtocolVersion()).toBe(version)
  const validators = await outputValidators(client)
  const call = async (tool: string, args: object = {}): Promise<Result> => {
    const { content, structuredContent, isError } = await client.callTool({ name: tool, arguments: { ...args } })
    const [first, ...media] = content as any[]
    expect(first).toEqual({ type: 'text', text: expect.any(String) })
    expect(media.length).toBeLessThanOrEqual(entry === 'developer' ? 1 : 0)
    const validate = validators.get(tool)!
    if (!validate(structuredContent)) expect.fail(`${tool}: ${JSON.stringify(validate.errors)}`)
    const { text } = first
    for (const part of [text, JSON.stringify(structuredContent), JSON.stringify(media)])
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(RESULT_BYTES.large)
    return { text, media, structured: structuredContent, isError: isError === true }
  }
  const use = async (tool: string, args?: object) => {
    const result = await call(tool, args)
    if (result.isError) expect.fail(`${tool} ${JSON.stringify(args)}: ${result.text}`)
    return result
  }
  return {
    kind,
    isStdio: transport === 'stdio',
    client,
    access,
    call,
    use,
    read: async (tool, args) => (await use(tool, args)).text,
    refusal: async (tool, args) => refusalOf(await call(tool, args)),
    close: () => client.close(),
  }
}

function refusalOf({ text, structured, isError }: Result) {
  expect(isError).toBe(true)
  const { error } = structured
  expect(error).toMatchObject({
    type: expect.any(String),
    code: expect.stringMatching(/^[\w.]+$/),
    message: expect.stringMatching(/\S/),
    http_status: expect.any(Number),
    next_step: expect.stringMatching(/\S/),
  })
  expect(text).toContain(error.code)
  expect(text).toContain('Next: ')
  expect(Buffer.byteLength(text)).toBeLessThan(4_000)
  return error
}

async function outputValidators(client: Client) {
  const ajv = new Ajv({ strict: true, allErrors: true })
  const { tools } = await client.listTools()
  return new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]))
}

function stdio(place: Place, access: Access, entry: Entry) {
  return new StdioClientTransport({
    command: process.execPath,
    args: [
      entry === 'normal' ? ADAPTER : DEVELOPER_ADAPTER,
      '--provider-url',
      place.proxy.url,
      '--grant',
      access.id,
      '--cache-root',
      place.cacheRoot,
    ],
    env: { PATH: process.env['PATH']! },
    cwd: place.dataDir,
    stderr: 'ignore',
  })
}

function hosted({ server }: Place, { token }: Access, entry: Entry) {
  const path = entry === 'normal' ? '/mcp' : '/mcp/developer'
  return new StreamableHTTPClientTransport(new URL(path, server.url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
}

/** The same tests, once for each way to connect. */
export function onEveryTransport(battery: (kind: AgentKind) => void): void {
  for (const kind of AGENT_KINDS) describe(kind, () => battery(kind))
}
