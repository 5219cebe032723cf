import { createInterface } from 'node:readline/promises'

/** A question on the terminal; Enter is yes. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Readline takes Ctrl-C for itself while it asks.
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
