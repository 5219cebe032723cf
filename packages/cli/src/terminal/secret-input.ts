import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

const MAX_CHARS = 4096

/** Reads one line without showing it: typed at a terminal, or the first line of piped input. */
export async function readSecret(question: string): Promise<string> {
  const terminal = process.stdin.isTTY === true
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal })
  // Ask only now, because until the line above the terminal would have shown typed characters.
  if (terminal) process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.slice(0, MAX_CHARS)))
      lines.once('close', () => resolve(''))
      lines.once('SIGINT', () => reject(new Error('interrupted. Nothing was changed')))
    })
  } finally {
    lines.close()
    if (terminal) process.stderr.write('\n')
  }
}
