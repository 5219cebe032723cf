import type { FileInput } from '../files/files.ts'
import type { Importer } from '../importer.ts'
import { importers } from '../importers.ts'
import { ImportRefusal } from '../refusal.ts'

export type Found = Map<Importer, FileInput[]>

export interface Skipped {
  readonly file: string
  readonly reason: string
}

/** Finds the importer of each file. Files that no importer can read are skipped, with a reason. */
export async function recognise(
  files: readonly FileInput[],
  skipped: Skipped[],
  fail: (file: string, error: unknown) => void,
  signal: AbortSignal,
): Promise<Found> {
  const found: Found = new Map()
  for (const file of files) {
    if (signal.aborted) break
    try {
      const importer = await firstThatKnows(file)
      if (!importer) skipped.push({ file: file.name, reason: file.fileSize === 0 ? 'is empty' : whyUnknown(file) })
      else if (found.has(importer)) found.get(importer)!.push(file)
      else found.set(importer, [file])
    } catch (error) {
      fail(file.name, error)
    }
  }
  return found
}

async function firstThatKnows(file: FileInput): Promise<Importer | undefined> {
  for (const importer of importers) if ((await importer.detect(file)) !== undefined) return importer
  return
}

function whyUnknown({ name }: FileInput): string {
  if (/\.(7z|rar|tar|tgz|xz|bz2|zst)$/i.test(name)) return 'is an archive: unpack it and import the folder'
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return 'is a spreadsheet: save it as CSV'
  if (/\.(pst|ost)$/i.test(name)) return 'is an Outlook data file: export the mails as mbox or .eml'
  return 'is of no kind that can be imported'
}

export function nothingToImport(files: readonly FileInput[], skipped: readonly Skipped[]): ImportRefusal {
  if (files.length === 0) return new ImportRefusal('no_files', {})
  const { file, reason } = skipped[0]!
  return new ImportRefusal('nothing_known', { file, reason, others: skipped.length - 1 })
}
