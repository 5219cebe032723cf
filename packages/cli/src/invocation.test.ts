import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programCommand, typedCommand, VERSION } from './invocation.ts'

test('installed or in a clone, it is started by its absolute path', () => {
  const { command, args } = programCommand()
  expect([command, args.length, existsSync(args[0]!)]).toEqual([process.execPath, 1, true])
  expect(typedCommand()).toBe('npx pdpp')
})

test('run by npx from its cache, it is asked for by the name and version of its package', () => {
  const bin = join('/home/you/.npm', '_npx', '5f3c', 'node_modules', '@pdpp', 'cli', 'bin', 'pdpp.mjs')
  expect(programCommand(bin)).toEqual({ command: 'npx', args: ['--yes', `@pdpp/cli@${VERSION}`] })
  expect(typedCommand(bin)).toBe('npx @pdpp/cli')
})
