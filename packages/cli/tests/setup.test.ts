import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { HOST_NAMES } from '@pdpp/mcp-server/hosts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { verifies } from '../../../tests/fixtures/verifies.ts'
import { newPerson, terminalAvailable } from './command.ts'
import { demoServer } from './demo-server.ts'

const demo = demoServer()
const PUBLIC = 'https://data.example.org'
const json = (text: string) => JSON.parse(text)

/** Setup must never mention these: mechanisms to choose between, and credentials (000.1). */
const FORBIDDEN =
  /profile|toolset|developer\b(?! mode)|subscription|owner[_ -]?(token|bearer|credential)|bearer|authorization:|PDPP_OWNER|access[_ ]token|pdpp_[\w-]{20,}/i

verifies.group(['000.1.1', 'point 2', 'point 29', 'point 44'], 'recommended setup is one path, shown first', () => {
  test.each(HOST_NAMES)('%s', async (name) => {
    const me = newPerson()
    const { token } = await demo.connect(me, ['notes'])
    const { code, stdout, stderr } = await me.run(['setup', name, PUBLIC])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`${PUBLIC}/mcp`)
    // The address of the server comes first. The program on this machine is the only alternative.
    const other = stdout.indexOf('Or through a program on this machine')
    expect(stdout.indexOf(`${PUBLIC}/mcp`)).toBeLessThan(other === -1 ? stdout.length : other)
    expect(stdout.split(/^Or /m).length).toBeLessThanOrEqual(2)
    expect(stdout.replaceAll('Developer mode', '')).not.toMatch(FORBIDDEN)
    expect(stdout).not.toContain(token)
    const { recommended, others } = json((await me.run(['setup', name, PUBLIC, '--json'])).stdout)
    expect(recommended).toMatchObject({ transport: 'streamable_http', url: `${PUBLIC}/mcp` })
    expect(others.length).toBeLessThanOrEqual(1)
    expect(JSON.stringify({ recommended, others }).replaceAll('Developer mode', '')).not.toMatch(FORBIDDEN)
  })
})

verifies('000.1.1', 'a client in the cloud is not sent to an address that it cannot reach', async () => {
  const me = newPerson()
  for (const address of [
    'http://127.0.0.1:7662',
    'http://localhost:7662',
    'https://192.168.1.4',
    'http://data.example.org',
  ]) {
    const { code, stdout, stderr } = await me.run(['setup', 'chatgpt', address])
    expect([address, code, stdout]).toEqual([address, 1, ''])
    expect(stderr).toContain('PDPP_PUBLIC_URL')
  }
  const desktop = await me.run(['setup', 'claude-desktop', 'http://127.0.0.1:7662'])
  expect(desktop.stdout).toMatch(/setup claude-desktop http:\/\/127\.0\.0\.1:7662 --bundle\n/)
  expect(desktop.stdout).toContain('claude_desktop_config.json')
  expect(desktop.stdout).not.toContain('/mcp"')
})

verifies('000.1.2', '--write starts the normal surface without any flag', async () => {
  const me = newPerson()
  await demo.connect(me, ['notes'])
  const written = await me.run(['setup', 'cursor', demo.url, '--stdio', '--write'])
  expect(written.code).toBe(0)
  const path = join(me.home, '.cursor', 'mcp.json')
  const text = readFileSync(path, 'utf8')
  expect(text).not.toMatch(FORBIDDEN)
  const { command, args, ...rest } = json(text).mcpServers.pdpp
  expect(rest).toEqual({})
  const client = new Client({ name: 'test', version: '1' })
  // Starts it like a desktop: from another folder, with hardly more than a home in the environment.
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: '/',
    env: { HOME: me.home, PATH: '/usr/bin:/bin' },
    stderr: 'pipe',
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'schema',
    'query_records',
    'aggregate',
    'search',
    'fetch',
    'read_record_field',
  ])
  const found = await client.callTool({ name: 'search', arguments: { query: 'bread' } })
  expect(found.isError).not.toBe(true)
  const help = await me.run(['mcp', '--help'])
  expect(help.stdout).not.toMatch(/profile|toolset/i)
})

test('the agent that was set up keeps its access when another one connects', async () => {
  const me = newPerson()
  await demo.connect(me, ['notes'])
  await me.run(['setup', 'cursor', demo.url, '--stdio', '--write'])
  await demo.connect(me, ['music'])
  await me.run(['setup', 'windsurf', demo.url, '--stdio', '--write'])
  for (const [path, source] of [
    [join('.cursor', 'mcp.json'), 'Notes'],
    [join('.codeium', 'windsurf', 'mcp_config.json'), 'Music'],
  ] as const) {
    const { command, args } = json(readFileSync(join(me.home, path), 'utf8')).mcpServers.pdpp
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(
      new StdioClientTransport({
        command,
        args,
        cwd: '/',
        env: { HOME: me.home, PATH: '/usr/bin:/bin' },
        stderr: 'pipe',
      }),
    )
    const schema = JSON.stringify(await client.callTool({ name: 'schema', arguments: {} }))
    expect([source, schema.includes('Notes'), schema.includes('Music')]).toEqual([
      source,
      source === 'Notes',
      source === 'Music',
    ])
  }
})

test('Claude Desktop gets a bundle for its own access alone', async () => {
  const me = newPerson()
  await demo.connect(me, ['notes'])
  const { code, stdout } = await me.run(['setup', 'claude-desktop', demo.url, '--bundle', '--json'])
  expect(code).toBe(0)
  const { path, args } = json(stdout)
  expect(path).toBe(join(me.home, 'pdpp.mcpb'))
  const bundle = readFileSync(path)
  expect(bundle.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(bundle.toString('latin1')).not.toMatch(FORBIDDEN)
  // A brace alone can also be a byte of a checksum before the manifest.
  const start = bundle.indexOf('{\n  "')
  const manifest = json(bundle.subarray(start, bundle.indexOf('\n}\n', start) + 2).toString())
  expect(manifest).toMatchObject({
    manifest_version: '0.3',
    name: 'pdpp',
    server: { type: 'binary', mcp_config: { args } },
  })
  expect(args).toContain('--grant')
  const other = await me.run(['setup', 'cursor', demo.url, '--bundle'])
  expect([other.code, other.stderr.includes('does not open bundles')]).toEqual([2, true])
})

describe('--write', () => {
  test('shows the difference, keeps everything else, and is safe to repeat', async () => {
    const me = newPerson()
    const path = join(me.home, '.cursor', 'mcp.json')
    mkdirSync(join(me.home, '.cursor'))
    const before = { theme: 'dark', mcpServers: { other: { url: 'https://other.example/mcp' } } }
    writeFileSync(path, JSON.stringify(before, null, 4), { mode: 0o640 })
    const first = await me.run(['setup', 'cursor', PUBLIC, '--write'])
    expect(first.stdout).toContain(`${path}\n`)
    expect(first.stdout).toMatch(/^\+ +"pdpp": \{$/m)
    expect(first.stdout).not.toMatch(/^- .*other/m)
    expect(json(readFileSync(path, 'utf8'))).toEqual({
      ...before,
      mcpServers: { ...before.mcpServers, pdpp: { url: `${PUBLIC}/mcp` } },
    })
    expect(readFileSync(path, 'utf8')).toContain('\n    "theme"')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    const again = await me.run(['setup', 'cursor', PUBLIC, '--write'])
    expect(again.stdout).toBe(`${path} already contains it.\n`)
    const changed = json((await me.run(['setup', 'cursor', 'https://elsewhere.example', '--write', '--json'])).stdout)
    expect(changed).toMatchObject({ path, changed: true })
  })

  test('TOML: the table is replaced or appended, and the rest stays', async () => {
    const me = newPerson()
    const path = join(me.home, '.codex', 'config.toml')
    mkdirSync(join(me.home, '.codex'))
    const others = '# mine\nmodel = "x"\n\n[mcp_servers.other]\nurl = "https://other.example/mcp"\n'
    writeFileSync(path, `${others}\n[mcp_servers.pdpp]\nurl = "https://old.example/mcp"\n\n[tui]\ntheme = "dark"\n`)
    expect((await me.run(['setup', 'codex', PUBLIC, '--write'])).code).toBe(0)
    expect(readFileSync(path, 'utf8')).toBe(
      `${others}\n[mcp_servers.pdpp]\nurl = "${PUBLIC}/mcp"\n\n[tui]\ntheme = "dark"\n`,
    )
    await me.run(['setup', 'codex', PUBLIC, '--write', '--stdio', '--name', 'local'])
    expect(readFileSync(path, 'utf8')).toMatch(
      /\[tui\]\ntheme = "dark"\n\n\[mcp_servers\.local\]\ncommand = "\S+"\nargs = \[/,
    )
  })

  test('follows a link, and leaves alone what it cannot read without loss', async () => {
    const me = newPerson()
    mkdirSync(join(me.home, '.gemini'))
    const real = join(me.home, 'dotfiles.json')
    const link = join(me.home, '.gemini', 'settings.json')
    writeFileSync(real, '{}')
    symlinkSync(real, link)
    await me.run(['setup', 'gemini', PUBLIC, '--write'])
    expect(json(readFileSync(real, 'utf8')).mcpServers.pdpp).toEqual({ httpUrl: `${PUBLIC}/mcp` })
    const commented = '{ // mine\n "mcpServers": {} }'
    writeFileSync(real, commented)
    const refused = await me.run(['setup', 'gemini', PUBLIC, '--write'])
    expect([refused.code, refused.stdout, readFileSync(real, 'utf8')]).toEqual([2, '', commented])
    expect(refused.stderr).toContain('without --write')
    const nowhere = await me.run(['setup', 'chatgpt', PUBLIC, '--write'])
    expect([nowhere.code, nowhere.stdout]).toEqual([2, ''])
  })

  test.skipIf(!terminalAvailable)('asks on a terminal, and no is no', async () => {
    const me = newPerson()
    const path = join(me.home, '.cursor', 'mcp.json')
    const no = await me.terminal(['setup', 'cursor', PUBLIC, '--write'], {
      keys: [{ after: /Write this\?/, type: 'n' }],
    })
    expect(no.stdout).toContain('Nothing was written.')
    expect(existsSync(path)).toBe(false)
    const yes = await me.terminal(['setup', 'cursor', PUBLIC, '--write'], {
      keys: [{ after: /Write this\?/, type: 'y' }],
    })
    expect([yes.code, existsSync(path)]).toEqual([0, true])
  })
})

test.skipIf(!terminalAvailable)('without a client it asks which', async () => {
  const { code, stdout } = await newPerson().terminal(['setup'], {
    env: { PDPP_PROVIDER_URL: PUBLIC },
    keys: [{ after: /Which agent\?[\s\S]*VS Code/, type: '\u001b[B\u001b[B\r' }],
  })
  expect([code, stdout]).toEqual([0, expect.stringContaining(`codex mcp add pdpp --url ${PUBLIC}/mcp`)])
  const piped = await newPerson().run(['setup'])
  expect([piped.code, piped.stdout]).toEqual([2, ''])
  expect(piped.stderr).toContain('claude-code, claude-desktop')
})
