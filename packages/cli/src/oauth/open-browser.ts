import { spawn } from 'node:child_process'
import { browserCommand } from '../config/env.ts'

/**
 * Opens an http(s) address in the user's browser, without a shell. The authorization server chooses this address, so it
 * must not be able to run a command.
 */
export async function openBrowser(address: string): Promise<boolean> {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return false
  const [program, ...args] = opener()
  try {
    const child = spawn(program!, [...args, url.href], { stdio: 'ignore', detached: true, shell: false })
    child.unref()
    return await new Promise((resolve) => {
      child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
    })
  } catch {
    return false
  }
}

function opener(): string[] {
  const chosen = browserCommand()
  if (chosen !== undefined) return [chosen]
  if (process.platform === 'darwin') return ['open']
  // `start` is built into the shell. This program does the same without a shell.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
