import { join, sep } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

export const VERSION: string = packageJson.version

const BIN = join(import.meta.dirname, '..', 'bin', 'pdpp.mjs')

/** True if npx runs this package from its cache, which npx may delete at any time. */
const isTemporary = (bin: string): boolean => bin.includes(`${sep}_npx${sep}`)

/** The command that people type. Without an installation, `npx pdpp` would fetch another package of that name. */
export const typedCommand = (bin: string = BIN): string => (isTemporary(bin) ? `npx ${packageJson.name}` : 'npx pdpp')

/** The command that a program runs. The paths are absolute, because desktop applications do not know the shell's PATH. */
export function programCommand(bin: string = BIN): { command: string; args: string[] } {
  if (isTemporary(bin)) return { command: 'npx', args: ['--yes', `${packageJson.name}@${VERSION}`] }
  return { command: process.execPath, args: [bin] }
}

/** How this running program starts itself again: from its own path, which exists at least until it ends. */
export const ownProgram = (): { program: string; args: string[]; typed: string } => ({
  program: process.execPath,
  args: [BIN],
  typed: typedCommand(),
})
