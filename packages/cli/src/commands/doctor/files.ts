import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { broken, type Check, type CheckResult, ok, skipped } from '@pdpp/mcp-server/doctor'
import {
  type FileProblem,
  findFileProblem,
  inspectBlobs,
  inspectChain,
  inspectPages,
  MAIN_FILE,
  RECEIPTS_FILE,
} from '@pdpp/server/offline'

/** Max. blobs, and max. bytes of blobs, that are read to check them. */
const SAMPLE = { maxBlobs: 200, maxBytes: 500_000_000 }

/** Checks that the files of the data directory are complete and belong together. */
export function fileChecks(dataDir: string): Check[] {
  const isThere = existsSync(dataDir)
  const problem = isThere ? findFileProblem(dataDir) : undefined
  const nothing = () => skipped(problem === undefined ? 'there is no data yet' : 'see above')
  const unlessThere = (file: string, run: () => CheckResult | Promise<CheckResult>) =>
    existsSync(join(dataDir, file)) ? run : nothing
  return [
    {
      name: 'Files together',
      run: () => (problem === undefined ? (isThere ? ok('from one installation') : nothing()) : wrong(problem)),
    },
    { name: 'Records', run: unlessThere(MAIN_FILE, () => pages(dataDir, MAIN_FILE, problem)) },
    { name: 'Receipts', run: unlessThere(RECEIPTS_FILE, () => receipts(dataDir, problem)) },
    { name: 'Blobs', run: unlessThere(MAIN_FILE, () => blobs(dataDir, problem)) },
  ]
}

const wrong = ({ message, fix }: FileProblem): CheckResult => broken(message, fix)

function pages(dataDir: string, file: FileProblem['file'], problem: FileProblem | undefined): CheckResult {
  if (problem?.file === file) return skipped('see above')
  const found = inspectPages(dataDir, file)
  return found === undefined ? ok(`every page of ${file} was read`) : wrong(found)
}

async function receipts(dataDir: string, problem: FileProblem | undefined): Promise<CheckResult> {
  const whole = pages(dataDir, RECEIPTS_FILE, problem)
  if (whole.state !== 'ok') return whole
  const { checked, brokenAt } = await inspectChain(dataDir)
  if (brokenAt === undefined) return ok(`${whole.says}; none of ${checked.toLocaleString('en')} entries was altered`)
  return broken(
    `the activity log was altered at entry ${brokenAt}: that entry was changed, or an earlier one is missing`,
    'If you have an earlier backup, restore its activity log: pdpp owner restore <backup> --data-dir <new folder>. Later reads are only in the log here.',
  )
}

async function blobs(dataDir: string, problem: FileProblem | undefined): Promise<CheckResult> {
  if (problem?.file === MAIN_FILE) return skipped('see above')
  const { total, checked, missing, changed } = await inspectBlobs(dataDir, SAMPLE)
  if (total === 0) return ok('there are no blobs')
  const wrongOnes = [...missing.map((hash) => `${hash} is missing`), ...changed.map((hash) => `${hash} has changed`)]
  const sample = `checked ${checked.toLocaleString('en')} of ${total.toLocaleString('en')}`
  if (wrongOnes.length === 0) return ok(sample)
  return broken(
    `${sample}: ${wrongOnes.slice(0, 3).join(', ')}${wrongOnes.length > 3 ? `, and ${wrongOnes.length - 3} more` : ''}`,
    'Import the files again. Or restore a backup (pdpp owner restore <backup> --data-dir <new folder>) and copy its blobs folder over this one.',
  )
}
