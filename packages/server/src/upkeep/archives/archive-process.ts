import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** The `pdpp` command, as a program starts it and as people type it. */
export interface ArchiveCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly typed: string
}

export type ArchiveKind = 'backup' | 'export'

const SAID_CHARS = 4000

export interface ArchiveProcess {
  readonly bytes: AsyncIterator<Uint8Array>
  /** Rejects with what the command said where it failed. */
  readonly ended: Promise<void>
  end(): void
}

/**
 * The command writes the archive, in a process of its own: it copies databases and compresses, which would hold up
 * every other request. A passphrase goes to its standard input, where no list of processes shows it.
 */
export function startArchive(
  { program, args }: ArchiveCommand,
  kind: ArchiveKind,
  dataDir: string,
  passphrase: string | undefined,
): ArchiveProcess {
  const words = [...args, 'owner', kind, '-', '--data-dir', dataDir]
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_CHARS)
  })
  // One that could not be started, or has ended already, takes nothing.
  child.stdin.on('error', () => {}).end(passphrase === undefined ? '' : `${passphrase}\n`)
  const ended = endOf(child, () => said)
  ended.catch(() => {})
  const end = () => {
    // What it has still written is taken by nobody, and it would count as open for ever.
    child.stdout.destroy()
    child.kill('SIGTERM')
  }
  return { bytes: child.stdout[Symbol.asyncIterator](), ended, end }
}

function endOf(child: ChildProcessByStdio<Writable, Readable, Readable>, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(said().trim() || `the command ended with ${signal ?? code}`))
    })
  })
}
