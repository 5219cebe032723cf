// The bundle that a clone starts: it never runs an older source.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../fixtures/processes.ts'

const { buildCommand, builtCommand } = await import(join(import.meta.dirname, '../../scripts/built-command.mjs'))

const THREAD = `new URL(\`./read-worker\${extname(import.meta.filename)}\`, import.meta.url)`

function clone(): string {
  const packages = join(temporaryDirectory(), 'packages')
  const files = {
    'cli/src/main.ts': `import { thread } from '../../server/src/engine/pool.ts'\nconsole.log('first', thread.pathname)\n`,
    'mcp/src/stdio/main.ts': 'export {}\n',
    'server/src/engine/pool.ts': `import { extname } from 'node:path'\nexport const thread = ${THREAD}\nexport { extname }\n`,
    'server/src/engine/read-worker.ts': `console.log('thread')\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(packages, name, '..'), { recursive: true })
    writeFileSync(join(packages, name), text)
  }
  return packages
}

const run = (file: string) => spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout

test('a changed source makes the bundle old', async () => {
  const packages = clone()
  expect(builtCommand(packages)).toBeUndefined()
  const first = await buildCommand(packages)
  expect([builtCommand(packages), await buildCommand(packages)]).toEqual([first, first])
  const [word, thread] = run(join(first, 'main.js')).trim().split(' ')
  expect([word, run(thread!)]).toEqual(['first', 'thread\n'])

  writeFileSync(join(packages, 'cli/src/main.ts'), `console.log('second version')\n`)
  expect(builtCommand(packages)).toBeUndefined()
  const second = await buildCommand(packages)
  expect([run(join(second, 'main.js')), run(join(first, 'main.js'))[0]]).toEqual(['second version\n', 'f'])
})

test('a bundle has the same texts as its sources, in one byte a character', async () => {
  const packages = clone()
  const source = `const tag = ([text]: TemplateStringsArray) => text
    /** “Not kept” */
    console.log(tag\`– 潮 é\`, 'шторм 👩‍🚀', /^[潮-澎👩]$/u.test('👩'))\n`
  writeFileSync(join(packages, 'cli/src/main.ts'), source)
  const main = join(await buildCommand(packages), 'main.js')
  expect(run(main)).toBe('– 潮 é шторм 👩‍🚀 true\n')
  expect(readFileSync(main, 'utf8')).toMatch(/^\p{ASCII}+$/u)
})

test('a changed library makes the bundle old', async () => {
  const packages = clone()
  const installed = join(packages, '..', 'node_modules')
  mkdirSync(installed)
  writeFileSync(join(installed, '.package-lock.json'), '{}')
  const first = await buildCommand(packages)
  expect(builtCommand(packages)).toBe(first)
  writeFileSync(join(installed, '.package-lock.json'), '{"packages":{}}')
  expect(builtCommand(packages)).toBeUndefined()
})

test('a source that cannot be read leaves no half-built bundle', async () => {
  const packages = clone()
  writeFileSync(join(packages, 'cli/src/main.ts'), 'const = 1\n')
  await expect(buildCommand(packages)).rejects.toThrow('main.ts')
  expect([builtCommand(packages), readdirSync(join(packages, 'cli'))]).toEqual([undefined, ['src']])
})

test('only the newest bundles are kept', async () => {
  const packages = clone()
  for (let version = 0; version < 7; version++) {
    writeFileSync(join(packages, 'cli/src/main.ts'), `console.log(${10 ** version})\n`)
    await buildCommand(packages)
  }
  expect(readdirSync(join(packages, 'cli'))).toHaveLength(1 + 5)
  rmSync(packages, { recursive: true })
})
