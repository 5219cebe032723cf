import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type ConfigurationFile, withEntry } from '@pdpp/mcp-server/hosts'
import { canAsk, confirm } from '../../terminal/ask.ts'
import { Cancelled } from '../../terminal/failure.ts'
import { bold, printLine, printNote } from '../../terminal/output.ts'
import { difference } from './difference.ts'

export interface Written {
  readonly path: string
  readonly changed: boolean
}

/** Shows the change, asks on a terminal, then replaces the file in one step. */
export async function writeEntry(
  file: ConfigurationFile,
  name: string,
  options: { yes?: boolean; json?: boolean },
): Promise<Written> {
  const before = contents(file.path)
  const after = withEntry(before ?? '', file, name)
  if (before === after) return { path: file.path, changed: false }
  const show = options.json ? printNote : printLine
  show(`${bold(file.path)}${before === undefined ? ' (new)' : ''}`)
  for (const line of difference(before ?? '', after)) show(line)
  if (!options.yes && canAsk() && !(await confirm('Write this?'))) throw new Cancelled('Nothing was written.')
  replace(file.path, after)
  return { path: file.path, changed: true }
}

function contents(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}

/** Replaces the file, or the target of a symbolic link, and keeps its permissions. */
function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  let target = path
  let mode = 0o600
  try {
    target = realpathSync(path)
    mode = statSync(target).mode & 0o777
  } catch {
    // The file does not exist yet.
  }
  const draft = `${target}.${process.pid}.tmp`
  writeFileSync(draft, text, { mode })
  renameSync(draft, target)
}
