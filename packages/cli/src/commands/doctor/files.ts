import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { broken, type Check, type CheckResult, ok, skipped } from '@pdpp/mcp-server/doctor'
import {
  inspectBlobs,
  inspectChain,
  inspectPages,
  MAIN_FILE,
  type Misfit,
  misfitOf,
  RECEIPTS_FILE,
} from '@pdpp/server/offline'

/** So many blobs are read again, and so many bytes of them. */
const SAMPLE = { maxBlobs: 200, maxBytes: 500_000_000 }

/** Checks that the files of the data directory are complete and belong together. */
export function fileChecks(dataDir: string): Check[] {
  const isThere = existsSync(dataDir)
  const misfit = isThere ? misfitOf(dataDir) : undefined
  const nothing = () => skipped(misfit === undefined ? 'there is no data yet' : 'see above')
  const unlessThere = (file: string, run: () => CheckResult | Promise<CheckResult>) =>
    existsSync(join(dataDir, file)) ? run : nothing
  return [
    {
      name: 'Files together',
      run: () => (misfit === undefined ? (isThere ? ok('from one installation') : nothing()) : wrong(misfit)),
    },
    { name: 'Records', run: unlessThere(MAIN_FILE, () => pages(dataDir, MAIN_FILE, misfit)) },
    { name: 'Receipts', run: unlessThere(RECEIPTS_FILE, () => receipts(dataDir, misfit)) },
    { name: 'Blobs', run: unlessThere(MAIN_FILE, () => blobs(dataDir, misfit)) },
  ]
}

const wrong = ({ says, fix }: Misfit): CheckResult => broken(says, fix)

function pages(dataDir: string, file: Misfit['file'], misfit: Misfit | undefined): CheckResult {
  if (misfit?.file === file) return skipped('see above')
  const found = inspectPages(dataDir, file)
  return found === undefined ? ok(`every page of ${file} was read`) : wrong(found)
}

async function receipts(dataDir: string, misfit: Misfit | undefined): Promise<CheckResult> {
  const whole = pages(dataDir, RECEIPTS_FILE, misfit)
  if (whole.state !== 'ok') return whole
  const { checked, brokenAt } = await inspectChain(dataDir)
  if (brokenAt === undefined) return ok(`${whole.says}; the chain of ${checked.toLocaleString('en')} is intact`)
  return broken(
    `the chain is broken from receipt ${brokenAt} on: that receipt was changed, or an earlier one is missing`,
    'If you have an earlier backup, restore its receipts: pdpp owner restore <backup> --data-dir <new folder>. Later reads are only in the receipts here.',
  )
}

async function blobs(dataDir: string, misfit: Misfit | undefined): Promise<CheckResult> {
  if (misfit?.file === MAIN_FILE) return skipped('see above')
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
