import type { InputHead } from '../importer.ts'

/** Says what a file that nobody can read seems to be, and what would make it importable. */
export function whyUnknown(name: string, { bytes }: InputHead): string {
  if (bytes.length === 0) return 'is empty'
  if (/\.(zip|7z|rar|tar|tgz|xz|bz2|zst)$/i.test(name)) return 'is an archive: unpack it and import the folder'
  if (/\.(xlsx?|ods|numbers)$/i.test(name)) return 'is a spreadsheet: save it as CSV'
  if (/\.(pst|ost)$/i.test(name)) return 'is an Outlook data file: export the mails as mbox or .eml'
  return 'is of no kind that can be imported'
}
