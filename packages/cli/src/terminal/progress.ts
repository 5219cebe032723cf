import { colourWanted } from '../config/env.ts'
import { cutToWidth } from './width.ts'

const SHOW_AFTER_MS = 1_000
const FRAME_MS = 120
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export interface Progress {
  say(text: string): void
}

/**
 * Shows a spinner for work that takes longer than a second, if standard error is a terminal, and removes it at the end.
 * It does not read keys, so Ctrl-C works as usual.
 */
export async function withProgress<T>(text: string, work: (progress: Progress) => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work({ say: () => {} })
  let message = text
  let visible = false
  const started = Date.now()
  const timer = setInterval(() => {
    const elapsed = Date.now() - started
    if (elapsed < SHOW_AFTER_MS) return
    visible = true
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
    if (visible) process.stderr.write('\r\u001b[K')
  }
}
