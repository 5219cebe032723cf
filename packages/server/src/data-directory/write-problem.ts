import { StartupError } from '../lib/startup-error.ts'

const FULL = 'its disk is full. Free some space, and start again.'
const READ_ONLY = 'its disk is read-only. Make it writable, or choose another with PDPP_DATA_DIR.'
const A_FILE = 'it is a file, or below one. Choose another with PDPP_DATA_DIR.'

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  EROFS: READ_ONLY,
  SQLITE_READONLY: READ_ONLY,
  ENOTDIR: A_FILE,
  EEXIST: A_FILE,
}

/** Says why the data directory cannot be written, and what to do. Undefined for an error that does not say it. */
export function writeProblem(directory: string, error: unknown): StartupError | undefined {
  const { code } = error as NodeJS.ErrnoException
  const problem = PROBLEMS[code ?? '']
  return problem === undefined
    ? undefined
    : new StartupError(`Cannot write to the data directory ${directory}: ${problem}`)
}
