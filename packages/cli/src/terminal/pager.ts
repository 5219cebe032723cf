import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pagerCommand } from '../config/env.ts'
import { writeOut } from './output.ts'

/** Accepts a long text piece by piece, so that only the part that the user reads is fetched. */
export interface Page {
  write(text: string): Promise<void>
  /** False after the user has quit the pager. */
  readonly open: boolean
}

/** Shows the text that `work` writes: in the user's pager on a terminal, otherwise on standard output. */
export async function withPager(wanted: boolean, work: (page: Page) => Promise<void>): Promise<void> {
  const [program, ...args] = wanted && process.stdout.isTTY && process.stdin.isTTY ? pagerCommand() : []
  if (program === undefined) return work({ write: writeOut, open: true })
  const child = spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'], shell: false })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const started = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true)).once('error', () => resolve(false))
  })
  if (!started) return work({ write: writeOut, open: true })
  // While the pager runs, it handles Ctrl-C.
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
