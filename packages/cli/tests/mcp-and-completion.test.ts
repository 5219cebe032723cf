import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../src/program.ts'
import { placesOf } from '../src/reference/completion.ts'
import { newPerson } from './command.ts'
import { demoServer } from './demo-server.ts'

const demo = demoServer()

test('pdpp mcp is the stdio adapter: protocol on stdout, its own exit codes', async () => {
  const me = newPerson()
  expect((await me.run(['mcp'])).code).toBe(64)
  expect((await me.run(['mcp', '--nonsense'])).code).toBe(64)
  expect((await me.run(['mcp', '--grant'])).code).toBe(64)
  expect((await me.run(['mcp', demo.url])).code).toBe(78)
  await demo.connect(me, ['notes'])
  expect((await me.run(['mcp', demo.url], { env: { PDPP_OWNER_TOKEN: 'x' } })).code).toBe(77)
  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  }
  // The only server that is cached need not be named. Input that ends after the question ends the adapter, too.
  const running = await me.start(['mcp'])
  running.child.stdin.write(`${JSON.stringify(hello)}\n`)
  await running.printed(/"id":1/)
  running.child.stdin.end()
  const { code, stdout } = await running.exited
  expect(code).toBe(0)
  expect(JSON.parse(stdout).result.serverInfo.name).toBe('pdpp-mcp-server')
})

test('bash completes commands, flags and choices', async () => {
  const me = newPerson()
  const { stdout, code } = await me.run(['completion', 'bash'])
  expect(code).toBe(0)
  const script = join(me.home, 'pdpp.bash')
  writeFileSync(script, stdout)
  const complete = (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(' ')
    const run = spawnSync(
      'bash',
      [
        '--norc',
        '-c',
        `source '${script}'; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _pdpp; printf '%s\\n' "\${COMPREPLY[@]}"`,
      ],
      { encoding: 'utf8' },
    )
    expect(run.stderr).toBe('')
    return run.stdout.split('\n').filter((line) => line !== '')
  }
  expect(complete('pdpp', 're')).toEqual(['read'])
  expect(complete('pdpp', 'read', 'se')).toEqual(['search'])
  const grant = complete('pdpp', 'owner', 'grant', '')
  expect(grant).toEqual(expect.arrayContaining(['create', 'list', 'revoke']))
  expect(complete('pdpp', 'owner', 'grants', '')).toEqual(grant)
  expect(complete('pdpp', 'read', 'records', 'messages', '--si')).toEqual(['--since-last'])
  expect(complete('pdpp', 'setup', 'c')).toEqual([
    'claude-code',
    'claude-desktop',
    'codex',
    'cursor',
    'cline',
    'claude',
    'chatgpt',
  ])
  expect(complete('pdpp', 'completion', 'z')).toEqual(['zsh'])
})

test.each(['zsh', 'fish'] as const)('%s is told every command and flag', async (shell) => {
  const { stdout } = await newPerson().run(['completion', shell])
  for (const { path, flags } of placesOf(createProgram())) {
    expect(stdout).toContain(`'${path}'`)
    for (const { word } of flags) expect(stdout).toContain(shell === 'fish' ? `-l ${word.slice(2)}` : word)
  }
})

test('an unknown shell is refused with the known ones', async () => {
  const { code, stderr } = await newPerson().run(['completion', 'tcsh'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')])
})
