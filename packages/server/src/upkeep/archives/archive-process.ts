import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** How to start the `pdpp` command, and how people type it. */
export interface ArchiveCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly typed: string
}

export type ArchiveKind = 'backup' | 'export'

/** Max. characters of the command's error output that are kept. */
const MAX_STDERR_CHARS = 4000

export interface ArchiveProcess {
  readonly bytes: AsyncIterator<Uint8Array>
  /** Rejects with the command's error output if it failed. */
  readonly ended: Promise<void>
  end(): void
}

/**
 * Runs the command in its own process, because copying databases and compressing would block every other request. The
 * passphrase goes to standard input, so that it does not appear in the list of processes.
 */
export function startArchive(
  { program, args }: ArchiveCommand,
  kind: ArchiveKind,
  dataDir: string,
  passphrase: string | undefined,
): ArchiveProcess {
  const words = [...args, 'owner', kind, '-', '--data-dir', dataDir]
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  let errorOutput = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorOutput = (errorOutput + text).slice(-MAX_STDERR_CHARS)
  })
  // A process that did not start or has already ended reads nothing.
  child.stdin.on('error', () => {}).end(passphrase === undefined ? '' : `${passphrase}\n`)
  const ended = endOf(child, () => errorOutput)
  ended.catch(() => {})
  const end = () => {
    // Nobody reads the rest of the output, and `close` is not emitted before it is read or destroyed.
    child.stdout.destroy()
    child.kill('SIGTERM')
  }
  return { bytes: child.stdout[Symbol.asyncIterator](), ended, end }
}

function endOf(child: ChildProcessByStdio<Writable, Readable, Readable>, errorOutput: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(errorOutput().trim() || `the command ended with ${signal ?? code}`))
    })
  })
}
