import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { EXIT } from '../../terminal/exit-codes.ts'
import { CommandFailure, UsageError } from '../../terminal/failure.ts'

const PARTIAL = 206
const RANGE_NOT_SATISFIABLE = 416

/** Requests the bytes. The headers may contain a range. */
type Ask = (headers: Record<string, string>) => Promise<Response>

export interface SavedBlob {
  readonly mimeType: string | null
  readonly sizeBytes: number
}

/**
 * Saves a blob to a new file. If the connection breaks and the id contains the hash, the next attempt resumes from the
 * partial file. The hash is checked at the end.
 */
export async function saveBlob(output: string, sha256: string | undefined, ask: Ask): Promise<SavedBlob> {
  if (existsSync(output)) throw alreadyThere(output)
  const part = `${output}.part`
  const { response, from } = await begin(part, sha256, ask)
  const total = totalOf(response, from)
  try {
    if (response.status !== RANGE_NOT_SATISFIABLE)
      await pipeline(
        Readable.fromWeb(response.body as never),
        createWriteStream(part, { flags: from > 0 ? 'a' : 'w', mode: 0o600 }),
      )
  } catch (error) {
    throw broken(part, sha256, total, error as NodeJS.ErrnoException)
  }
  const size = statSync(part).size
  if (total !== undefined && size !== total) throw broken(part, sha256, total)
  if (sha256 !== undefined && (await hashOf(part)) !== sha256) {
    rmSync(part, { force: true })
    throw new CommandFailure(
      EXIT.other,
      'The bytes do not match the hash in the id: they were changed on the way.',
      'Nothing was saved. Run the same command again.',
    )
  }
  putInPlace(part, output)
  return { mimeType: response.headers.get('content-type'), sizeBytes: size }
}

async function begin(
  part: string,
  sha256: string | undefined,
  ask: Ask,
): Promise<{ response: Response; from: number }> {
  const have = sha256 === undefined ? 0 : (statSync(part, { throwIfNoEntry: false })?.size ?? 0)
  if (have === 0) return { response: await ask({}), from: 0 }
  const response = await ask({ range: `bytes=${have}-`, 'if-range': `"${sha256}"` })
  if (response.status === PARTIAL) return { response, from: have }
  // The partial file was complete already.
  if (response.status === RANGE_NOT_SATISFIABLE && totalOf(response, 0) === have) return { response, from: have }
  if (response.status !== RANGE_NOT_SATISFIABLE) return { response, from: 0 }
  return { response: await ask({}), from: 0 }
}

function totalOf(response: Response, from: number): number | undefined {
  const range = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]
  if (range !== undefined) return Number(range)
  const length = response.headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? from + Number(length) : undefined
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Unlike a rename, a link fails if somebody created the file in the meantime. */
function putInPlace(part: string, output: string): void {
  try {
    linkSync(part, output)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(output)
    throw error
  }
  rmSync(part, { force: true })
}

function broken(
  part: string,
  sha256: string | undefined,
  total: number | undefined,
  error?: NodeJS.ErrnoException,
): CommandFailure {
  const { code } = error ?? {}
  if (code === 'EACCES' || code === 'ENOENT' || code === 'ENOSPC' || code === 'EISDIR')
    return new CommandFailure(EXIT.other, `Can't write ${part} (${code}).`, 'Choose another file with --output.')
  const have = statSync(part, { throwIfNoEntry: false })?.size ?? 0
  if (sha256 === undefined) rmSync(part, { force: true })
  const next =
    sha256 === undefined ? 'Run the same command again.' : 'Run the same command again to continue from there.'
  const size = total === undefined ? '' : ` of ${total.toLocaleString('en')}`
  return new CommandFailure(
    EXIT.unreachable,
    `The connection broke after ${have.toLocaleString('en')}${size} bytes.`,
    next,
  )
}

const alreadyThere = (output: string): UsageError =>
  new UsageError(`${output} already exists.`, 'Choose another name with --output.')
