import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal. Undefined if the user pressed Ctrl-C. */
export async function ask(question: string, signal: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  // Readline catches Ctrl-C while it asks, so pass it on.
  terminal.once('SIGINT', () => process.emit('SIGINT'))
  try {
    return (await terminal.question(question, { signal })).trim()
  } catch {
    return undefined
  } finally {
    terminal.close()
  }
}
