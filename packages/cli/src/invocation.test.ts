import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { programCommand, typedCommand, VERSION } from './invocation.ts'

const CLONE = resolve(import.meta.dirname, '..', '..', '..')

test('an installed program is started by its absolute path', () => {
  const { command, args } = programCommand()
  expect([command, args.length, existsSync(args[0]!)]).toEqual([process.execPath, 1, true])
})

test('in a clone, people type the script at its top', () => {
  expect(typedCommand(undefined, CLONE)).toBe('./pdpp')
  expect(typedCommand(undefined, '/')).toBe(join(CLONE, 'pdpp'))
})

test('an installed package is typed with npx in its own folder only', () => {
  const bin = join('/home/you/data', 'node_modules', '@pdpp', 'cli', 'bin', 'pdpp.mjs')
  expect(typedCommand(bin, '/home/you/data')).toBe('npx pdpp')
  expect(typedCommand(bin, '/home/you')).toBe('pdpp')
})

test('a program in the npx cache is started by package name and version', () => {
  const bin = join('/home/you/.npm', '_npx', '5f3c', 'node_modules', '@pdpp', 'cli', 'bin', 'pdpp.mjs')
  expect(programCommand(bin)).toEqual({ command: 'npx', args: ['--yes', `@pdpp/cli@${VERSION}`] })
  expect(typedCommand(bin)).toBe('npx @pdpp/cli')
})
