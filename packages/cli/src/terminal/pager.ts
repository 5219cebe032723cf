import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pagerCommand } from '../config/env.ts'
import { writeOut } from './output.ts'

/** Where a long text goes: piece by piece, so that the reader decides how much of it is fetched. */
export interface Page {
  write(text: string): Promise<void>
  /** False once the reader has had enough. */
  readonly open: boolean
}

/**
 * Shows what `work` writes in the user's pager on a terminal, plainly elsewhere. The pager is started without a shell.
 */
export async function withPager(wanted: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  const [program, ...args] = wanted && process.stdout.isTTY && process.stdin.isTTY ? pagerCommand() : []
  if (program === undefined) return work({ write: writeOut, open: true })
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], shell: false })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!started) return work({ write: writeOut, open: true })
  // Ctrl-C belongs to the pager while it is there.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const page = { open: true, write: async (text: string) => void (await pour(text)) }
  child.stdin.on('error', () => {
    page.open = false
  })
  child.on('close', () => {
    page.open = false
  })
  const pour = async (text: string) => {
    if (page.open && !child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), closed])
  }
  try {
    await work(page)
  } finally {
    child.stdin.end()
    await closed
    process.off('SIGINT', ignore)
  }
}
