import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

const MAX_CHARS = 4096

/** One line that is not shown: typed at a terminal, or the first line of what is piped in. */
export async function readSecret(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal })
  // Only now: the terminal has stopped showing what is typed.
  if (terminal) process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.slice(0, MAX_CHARS)))
      lines.once('close', () => resolve(''))
      lines.once('SIGINT', () => reject(new Error('interrupted, nothing was changed')))
    })
  } finally {
    lines.close()
    if (terminal) process.stderr.write('\n')
  }
}
