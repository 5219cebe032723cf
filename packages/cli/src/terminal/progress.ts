import { colourWanted } from '../config/env.ts'
import { cutToWidth } from './width.ts'

const PATIENCE_MS = 1_000
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export interface Progress {
  say(text: string): void
}

/**
 * What takes longer than a second shows that it is alive: on standard error, on a terminal, and gone when it is done.
 * It reads no keys, so that Ctrl-C stays what it is.
 */
export async function withProgress<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work({ say: () => {} })
  let message = text
  let shown = false
  const started = Date.now()
  const timer = setInterval(() => {
    const elapsed = Date.now() - started
    if (elapsed < PATIENCE_MS) return
    shown = true
    const frame = FRAMES[Math.floor(elapsed / FRAME_MS) % FRAMES.length]
    const line = cutToWidth(`${frame} ${message} (${Math.floor(elapsed / 1000)} s)`, (process.stderr.columns ?? 80) - 1)
    process.stderr.write(colourWanted(process.stderr) ? `\r\u001b[2m${line}\u001b[22m\u001b[K` : `\r${line}\u001b[K`)
  }, FRAME_MS).unref()
  try {
    return await work({
      say: (next) => {
        message = next
      },
    })
  } finally {
    clearInterval(timer)
    if (shown) process.stderr.write('\r\u001b[K')
  }
}
