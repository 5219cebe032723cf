import { existsSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { quoted } from '@pdpp/mcp-server/hosts'
import packageJson from '../package.json' with { type: 'json' }

export const VERSION: string = packageJson.version

const BIN = join(import.meta.dirname, '..', 'bin', 'pdpp.mjs')

/** True if npx runs this package from its cache, which npx may delete at any time. */
const isTemporary = (bin: string): boolean => bin.includes(`${sep}_npx${sep}`)

/** The script at the top of a clone, or undefined if this is an installed package. */
function cloneScript(bin: string): string | undefined {
  const script = resolve(bin, '..', '..', '..', '..', 'pdpp')
  return existsSync(resolve(bin, '..', '..', 'src')) && existsSync(script) ? script : undefined
}

/**
 * The command that people type in this folder. Outside of the folder where it is installed, `npx pdpp` would fetch a
 * package of that name, which is not ours.
 */
export function typedCommand(bin: string = BIN, here: string = process.cwd()): string {
  if (isTemporary(bin)) return `npx ${packageJson.name}`
  const script = cloneScript(bin)
  if (script !== undefined) return resolve(here, 'pdpp') === script ? './pdpp' : quoted(script)
  return bin.startsWith(resolve(here, 'node_modules') + sep) ? 'npx pdpp' : 'pdpp'
}

/** The command that a program runs. Its paths are absolute, because desktop applications lack the shell's PATH. */
export function programCommand(bin: string = BIN): { command: string; args: string[] } {
  if (isTemporary(bin)) return { command: 'npx', args: ['--yes', `${packageJson.name}@${VERSION}`] }
  return { command: process.execPath, args: [bin] }
}

/** How this program starts itself again: from its own path, which exists at least until the program ends. */
export const ownProgram = (): { program: string; args: string[]; typed: string } => ({
  program: process.execPath,
  args: [BIN],
  typed: typedCommand(),
})
