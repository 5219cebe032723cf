import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal. Enter means yes. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Readline catches Ctrl-C while it asks, so pass it on.
  terminal.once('SIGINT', () => process.emit('SIGINT'))
  try {
    const answer = await terminal.question(`${question} [Y/n] `, { signal })
    return /^(y|yes|)$/i.test(answer.trim())
  } catch {
    return false
  } finally {
    terminal.close()
  }
}
