// `npm start` opens the browser if there is one, and says so. Nothing opens in a pipe, or with --no-open.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPerson, type Person, terminalAvailable } from './command.ts'

function withBrowser(me: Person) {
  const opener = join(me.home, 'opener')
  writeFileSync(opener, `#!/bin/sh\necho "$1" >> '${me.home}/opened'\n`)
  chmodSync(opener, 0o755)
  const opened = () => (existsSync(join(me.home, 'opened')) ? readFileSync(join(me.home, 'opened'), 'utf8').trim() : '')
  return { env: { BROWSER: opener, PORT: '0' }, opened }
}

test.skipIf(!terminalAvailable)(
  'in a terminal, the first page opens, signed in by its link',
  async () => {
    const me = newPerson()
    const { env, opened } = withBrowser(me)
    const { stdout } = await me.terminal(['serve', '--open'], { env, keys: [{ after: /Ctrl-C/, type: '\u0003' }] })
    expect(stdout).toContain('Your browser opens it now.')
    await expect.poll(opened).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/owner\/sign-in\/link\/[\w-]{43}$/)
    expect(stdout).toContain(opened())
  },
  60_000,
)

test('in a pipe, or if it is told not to, nothing opens', async () => {
  const me = newPerson()
  const { env, opened } = withBrowser(me)
  const piped = await me.start(['serve', '--open'], env)
  await piped.printed(/Ctrl-C/)
  process.kill(piped.child.pid!, 'SIGTERM')
  expect((await piped.exited).stdout).not.toContain('Your browser opens')
  if (terminalAvailable) {
    const told = await me.terminal(['serve', '--open', '--no-open'], {
      env,
      keys: [{ after: /Ctrl-C/, type: '\u0003' }],
    })
    expect(told.stdout).not.toContain('Your browser opens')
  }
  expect(opened()).toBe('')
})
