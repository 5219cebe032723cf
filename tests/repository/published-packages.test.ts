// The packages as people get them: packed, installed into an empty folder without install scripts, and run there.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const PATIENCE = 180_000
const NAMES = ['cli', 'demo', 'importers', 'mcp-server', 'protocol', 'server']
const place = mkdtempSync(join(tmpdir(), 'pdpp-packages-'))
const folder = join(place, 'installed')
const home = join(place, 'home')
let unreachable: string | undefined

interface Finished {
  code: number | null
  out: string
  err: string
}

/** Settings of the npm that runs the tests, and a developer's own of PDPP, must not decide them. */
function environment(): NodeJS.ProcessEnv {
  const misleading =
    /^PDPP_|^npm_(package|lifecycle|config_(workspace|local_prefix|prefix|global|omit|include|dry_run))/i
  const kept = Object.entries(process.env).filter(([name]) => !misleading.test(name))
  const path = `${dirname(process.execPath)}:${process.env['PATH']}`
  return { ...Object.fromEntries(kept), PATH: path, NO_COLOR: '1', PDPP_DATA_DIR: join(home, 'data') }
}

function start(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { cwd, detached: true, env: { ...environment(), ...env } })
  const finished = { code: null, out: '', err: '' } as Finished
  child.stdout.setEncoding('utf8').on('data', (text) => (finished.out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (finished.err += text))
  const exited = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ ...finished, code }))
  })
  const end = async () => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL')
    await exited
  }
  return { child, exited, finished, end }
}

async function run(command: string, args: readonly string[], options: { cwd?: string; input?: string } = {}) {
  const { child, exited, end } = start(command, args, options.cwd ?? folder, HOME)
  const overdue = setTimeout(() => void end(), PATIENCE)
  child.stdin.on('error', () => {}).end(options.input ?? '')
  return exited.finally(() => clearTimeout(overdue))
}

const HOME = { HOME: home }
const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
const pdpp = (args: readonly string[], input?: string) => run(bin('pdpp'), args, input === undefined ? {} : { input })
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', '@pdpp', name, 'package.json'), 'utf8'))

beforeAll(async () => {
  for (const each of [folder, home]) mkdirSync(each)
  const packed = await run(process.execPath, [join(root, 'scripts', 'pack.mjs'), join(place, 'build')], { cwd: root })
  if (packed.code !== 0) throw new Error(`Nothing was packed:\n${packed.err}${packed.out}`)
  const tarballs = globSync(join(place, 'build', 'tarballs', '*.tgz'))
  writeFileSync(join(folder, 'package.json'), '{"name":"somebody","private":true,"type":"module"}')
  // It uses the cache and settings of the person who runs the tests, and the network as `npm ci` does.
  const { end, exited } = start(
    'npm',
    ['install', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1', '--no-audit', '--no-fund', ...tarballs],
    folder,
  )
  const overdue = setTimeout(() => void end(), PATIENCE)
  const { code, err } = await exited.finally(() => clearTimeout(overdue))
  if (code === 0) return
  const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|EHOSTUNREACH|ENETUNREACH/.exec(err)
  if (!offline) throw new Error(`npm install failed:\n${err}`)
  unreachable = `The registry cannot be reached (${offline[0]}): the packages were packed, but not installed.`
  console.warn(unreachable)
}, 2 * PATIENCE)

afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }))

beforeEach(({ skip }) => {
  if (unreachable !== undefined) skip(unreachable)
})

describe.each(NAMES)('@pdpp/%s', (name) => {
  test('has a README, a licence and types, and nothing it does not need', () => {
    const home = join(folder, 'node_modules', '@pdpp', name)
    expect(readFileSync(join(home, 'README.md'), 'utf8')).toMatch(new RegExp(`^# @pdpp/${name}\n`))
    expect(readFileSync(join(home, 'LICENSE'), 'utf8')).toContain('Apache License')
    const files = globSync('**/*', { cwd: home, withFileTypes: true }).filter((each) => each.isFile())
    expect(files.filter((each) => /(?<!\.d)\.ts$|\.(test|fixture|cases)\./.test(each.name))).toEqual([])
    const { exports, types, private: kept, scripts, license } = manifestOf(name)
    expect([kept, scripts, license]).toEqual([undefined, undefined, 'Apache-2.0'])
    const targets = Object.values<string | Record<string, string>>(exports).flatMap((each) =>
      typeof each === 'string' ? [each] : Object.values(each),
    )
    expect([types, ...targets].filter((path) => !existsSync(join(home, path)))).toEqual([])
  })

  test('names every package that its code and types import', () => {
    const home = join(folder, 'node_modules', '@pdpp', name)
    const imported = globSync('dist/**/*.{js,d.ts}', { cwd: home }).flatMap((file) =>
      [...readFileSync(join(home, file), 'utf8').matchAll(/^(?:import|export)\b[^'"\n]*from '([^.'][^']*)'/gm)]
        .map(([, specifier]) => specifier!)
        .filter((specifier) => !specifier.startsWith('node:')),
    )
    const packages = imported.map((each) => each.split('/', each.startsWith('@') ? 2 : 1).join('/'))
    expect([...new Set(packages)].filter((each) => !(each in (manifestOf(name).dependencies ?? {})))).toEqual([])
  })
})

/** The examples of the READMEs, as files of somebody's own project. */
function writeExamples(): string[] {
  return NAMES.flatMap((name) => {
    const readme = readFileSync(join(folder, 'node_modules', '@pdpp', name, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
    const own = examples.filter((code) => code.includes(`from '@pdpp/${name}'`))
    expect(own, name).toHaveLength(1)
    writeFileSync(join(folder, `${name}.ts`), own[0]!)
    return [`${name}.ts`]
  })
}

test('the examples of the READMEs agree with the shipped types, and run', { timeout: PATIENCE }, async () => {
  const files = writeExamples()
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json')
  const tsc = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.tsc)
  // Strict, and the declarations themselves are checked too: nothing may be `any` because a type is missing.
  const flags = '--ignoreConfig --noEmit --strict --module nodenext --target es2024 --skipLibCheck false --types node'
  const typeRoots = ['--typeRoots', join(root, 'node_modules', '@types')]
  writeFileSync(
    join(folder, 'wrong.ts'),
    `import { startServer } from '@pdpp/server'\nexport const port: number = startServer.name\n`,
  )
  const [checked, ...examples] = await Promise.all([
    run(process.execPath, [tsc, ...flags.split(' '), ...typeRoots, ...files, 'wrong.ts']),
    ...files.map((file) => run(process.execPath, [file])),
  ])
  // The only mistake is the one that was made on purpose, which shows that mistakes are found.
  expect(checked!.out.trim()).toBe(`wrong.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.`)
  expect(examples.map(({ code, err }) => [code, err])).toEqual(files.map(() => [0, '']))
})

test('pdpp runs by npx, with the demo owner and for an MCP host', { timeout: PATIENCE }, async () => {
  const version = manifestOf('cli').version
  expect((await run('npx', ['--no-install', 'pdpp', '--version'])).out.trim()).toBe(version)
  const serving = start(bin('pdpp'), ['serve', '--demo', '--port', '0'], folder, HOME)
  onTestFinished(serving.end)
  await expect.poll(() => serving.finished.out, { timeout: 60_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/mcp/)
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(serving.finished.out)!
  expect((await fetch(`${url}/v1/streams`)).status).toBe(401)

  const made = await pdpp(['owner', 'grant', 'create', '--client', 'Somebody', '--connection', 'chat', '--json'])
  expect(made.code, made.err).toBe(0)
  const connected = await pdpp(['connect', url, '--with-token'], made.out)
  expect(connected.code, connected.err).toBe(0)
  const found = await pdpp(['read', 'search', 'hills', '--json'])
  expect(JSON.parse(found.out).data.length, found.err).toBeGreaterThan(0)
  // Long reads happen in threads, whose file has to be found.
  const counted = await pdpp(['read', 'aggregate', 'messages', '--group-by', 'author', '--json'])
  expect(counted.code, counted.err).toBe(0)
  const erased = await pdpp(['owner', 'erase', '--connection', 'music', '--yes'])
  expect(erased.code, erased.err).toBe(0)

  const adapter = { command: bin('pdpp-mcp-server'), args: ['--provider-url', url] }
  await speaks(adapter, 'pdpp-mcp-server', version)
  await speaks({ ...adapter, command: bin('pdpp-mcp-server-developer') }, 'pdpp-mcp-server-developer', version)
  const setup = await pdpp(['setup', 'cursor', url, '--stdio', '--write', '--yes'])
  expect(setup.code, setup.err).toBe(0)
  const entry = JSON.parse(readFileSync(join(home, '.cursor', 'mcp.json'), 'utf8')).mcpServers.pdpp
  expect(entry.args[0]).toContain(join('installed', 'node_modules', '@pdpp', 'cli', 'bin', 'pdpp.mjs'))
  await speaks(entry, 'pdpp-mcp-server', version)
})

/** As a host starts it: from another folder, with little more than a home. */
async function speaks(program: { command: string; args: string[] }, name: string, version: string): Promise<void> {
  const client = new Client({ name: 'test', version: '1' })
  const path = `${dirname(process.execPath)}:/usr/bin:/bin`
  const transport = new StdioClientTransport({ ...program, cwd: home, env: { HOME: home, PATH: path }, stderr: 'pipe' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  expect(client.getServerVersion()).toMatchObject({ name, version })
  const answer = await client.callTool({ name: 'schema', arguments: {} })
  expect([answer.isError ?? false, JSON.stringify(answer.content)]).toEqual([
    false,
    expect.stringContaining('messages'),
  ])
}
