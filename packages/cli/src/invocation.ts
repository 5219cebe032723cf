import { join, sep } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

export const VERSION: string = packageJson.version

const BIN = join(import.meta.dirname, '..', 'bin', 'pdpp.mjs')

/** npx without an installation keeps packages in a cache of its own, which may be gone tomorrow. */
const isPassing = (bin: string): boolean => bin.includes(`${sep}_npx${sep}`)

/** What people type to run this command again: a plain `npx pdpp` would fetch whatever has that name. */
export const typedCommand = (bin: string = BIN): string => (isPassing(bin) ? `npx ${packageJson.name}` : 'npx pdpp')

/** What a program runs to start this command again. Absolute paths: a client on a desktop does not know the PATH of a shell. */
export function programCommand(bin: string = BIN): { command: string; args: string[] } {
  if (isPassing(bin)) return { command: 'npx', args: ['--yes', `${packageJson.name}@${VERSION}`] }
  return { command: process.execPath, args: [bin] }
}

/** How this very program starts itself again while it runs: from where it is, also where that is passing. */
export const ownProgram = (): { program: string; args: string[]; typed: string } => ({
  program: process.execPath,
  args: [BIN],
  typed: typedCommand(),
})
