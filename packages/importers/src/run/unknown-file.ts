import type { InputHead } from '../importer.ts'

/**
 * Files that no importer can read yet: how to recognise them, their description, and how the owner can make them
 * importable.
 */
const KINDS: readonly [test: RegExp, on: 'name' | 'text' | 'bytes', text: string][] = [
  [
    /^Rar!|^7z\u00bc\u00af|^\u00fd7zXZ|^BZh|^\u0028\u00b5\u002f\u00fd/,
    'bytes',
    'is an archive in a format that cannot be read: unpack it and import the folder',
  ],
  [/\.(tar|tgz|tar\.gz|7z|rar|xz|bz2|zst)$/i, 'name', 'is an archive: unpack it and import the folder'],
  [/\.(xlsx?|ods|numbers)$/i, 'name', 'is a spreadsheet: save it as CSV'],
  [/^PAR1/, 'bytes', 'is a Parquet table: save it as CSV or JSON Lines'],
  [/\.(pptx?|odp|key)$/i, 'name', 'is a presentation: save it as PDF'],
  [/\.(doc|pages|rtf)$/i, 'name', 'is a document in a format that cannot be read: save it as DOCX or PDF'],
  [/\.textpack$/i, 'name', 'is a packed note: give it the ending .zip'],
  [/\.(pst|ost)$/i, 'name', 'is an Outlook data file: export the mails as mbox or .eml'],
  [/\.msg$/i, 'name', 'is an Outlook message: save it as .eml in Outlook, or drag it into another mail program'],
  [/\.olm$/i, 'name', 'is an archive of Outlook for Mac: export the mails as mbox or .eml'],
  [/\.(one|onepkg|onetoc2)$/i, 'name', 'is a OneNote notebook: export its pages as HTML, DOCX or PDF'],
  [/\.bear2bk$/i, 'name', 'is a Bear backup: export the notes as Markdown'],
  [
    /\.crypt(12|14|15)$/i,
    'name',
    'is an encrypted WhatsApp backup: export the chats in WhatsApp instead (Chat > More > Export chat)',
  ],
  [/\.(backup|kdbx|gpg|pgp|age)$/i, 'name', 'is encrypted, or seems to be: decrypt it first'],
  [/\.car$/i, 'name', 'is a repository of Bluesky or another IPLD service, for which there is no importer yet'],
  [/<OFX>|^\s*OFXHEADER/i, 'text', 'is an OFX bank statement, for which there is no importer yet: download it as CSV'],
  [
    /^\s*!(Type|Account|Option):/im,
    'text',
    'is a QIF bank statement, for which there is no importer yet: download it as CSV',
  ],
  [
    /^:?(\{1:|20:|:20:)|^:60F:/m,
    'text',
    'is an MT940 bank statement, for which there is no importer yet: download it as CSV',
  ],
  [/camt\.05[234]/, 'text', 'is a CAMT bank statement, for which there is no importer yet: download it as CSV'],
  [/<HealthData|HKQuantityType/, 'text', 'is an Apple Health export, for which there is no importer yet'],
  [/<gpx[\s>]/i, 'text', 'is a GPX track, for which there is no importer yet'],
  [/<TrainingCenterDatabase/i, 'text', 'is a TCX workout, for which there is no importer yet'],
  [/^.{8}\.FIT/, 'bytes', 'is a FIT workout, for which there is no importer yet'],
  [/\.(pkpass|pkpasses)$/i, 'name', 'is a Wallet pass, for which there is no importer yet'],
  [/window\.YTD\.|Grailbird\.data/, 'text', 'is part of a Twitter archive, for which there is no importer yet'],
  [/<rss[\s>]|<feed[\s>]/, 'text', 'is a feed of news, for which there is no importer yet'],
  [/<note [^>]*tomboy/, 'text', 'is a Tomboy note: export it as HTML'],
  [/<smses[\s>]/, 'text', 'is a backup of SMS Backup & Restore, for which there is no importer yet'],
  [/NETSCAPE-Bookmark-file/i, 'text', 'is a file of bookmarks, for which there is no importer yet'],
  [/^={10}\s*$/m, 'text', 'looks like Kindle clippings, for which there is no importer yet'],
  [/BEGIN:VCALENDAR/i, 'text', 'is a calendar whose content cannot be read'],
  [/BEGIN:VCARD/i, 'text', 'is a file of contacts whose content cannot be read'],
  [
    /^\s*<\?xml|^\s*<!DOCTYPE/i,
    'text',
    'is XML in a format that no importer knows: look for a CSV or JSON export of the same data',
  ],
  [/^%PDF-/, 'bytes', 'is a PDF that cannot be read'],
  [/^PK\p{Cc}{2}/u, 'bytes', 'is a zip archive under another name: give it the ending .zip, or unpack it'],
  [/^\u0089PNG|^\u00ff\u00d8\u00ff|^GIF8|ftyp(heic|avif|mif1)/, 'bytes', 'is a picture that belongs to no export'],
  [/^OggS|^ID3|^RIFF|ftyp/, 'bytes', 'is a sound or a film that belongs to no export'],
  [/\.(css|js|html?|svg|ico|woff2?)$/i, 'name', 'is a page, or part of one, that has no data of its own'],
]

const ENOUGH_CHARS = 4096
const TABLES = 'Anything with rows can be imported: CSV, JSON, JSON Lines, SQLite'

/**
 * Explains why a file cannot be imported: its probable kind, the missing part, and how the owner can make it
 * importable.
 */
export function whyUnknown(name: string, { bytes, text }: InputHead): string {
  if (bytes.length === 0 || text?.trim() === '') return 'is empty'
  const start = bytes.toString('latin1', 0, ENOUGH_CHARS)
  const subjects = { name, text: text?.slice(0, ENOUGH_CHARS) ?? '', bytes: start }
  const kind = KINDS.find(([test, on]) => test.test(subjects[on]))
  if (kind) return kind[2]
  if (text === undefined) return `is a binary file in a format that no importer knows. ${TABLES}`
  if (/^\s*[[{]/.test(text)) return `looks like JSON, but has no rows or is damaged. ${TABLES}`
  return `is text in a format that no importer knows. ${TABLES}`
}
