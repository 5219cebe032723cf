import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { programCommand, typedCommand, VERSION } from './invocation.ts'

test('an installed program is started by its absolute path', () => {
  const { command, args } = programCommand()
  expect([command, args.length, existsSync(args[0]!)]).toEqual([process.execPath, 1, true])
  expect(typedCommand()).toBe('npx pdpp')
})

test('a program in the npx cache is started by package name and version', () => {
  const bin = join('/home/you/.npm', '_npx', '5f3c', 'node_modules', '@pdpp', 'cli', 'bin', 'pdpp.mjs')
  expect(programCommand(bin)).toEqual({ command: 'npx', args: ['--yes', `@pdpp/cli@${VERSION}`] })
  expect(typedCommand(bin)).toBe('npx @pdpp/cli')
})
