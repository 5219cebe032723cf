import { appleNotes } from './formats/apple-notes/importer.ts'
import { dayOne } from './formats/day-one/importer.ts'
import { documents } from './formats/document/importer.ts'
import { evernote } from './formats/evernote/importer.ts'
import { keep } from './formats/keep/importer.ts'
import { mail } from './formats/mail/importer.ts'
import { markdown } from './formats/markdown/importer.ts'
import { notion } from './formats/notion/importer.ts'
import { obsidian } from './formats/obsidian/importer.ts'
import { photos } from './formats/photo/importer.ts'
import { tabular } from './formats/table/importer.ts'
import type { Importer } from './importer.ts'

/** Every importer, the most specific first. The last one accepts any file that has rows. */
export const importers: readonly Importer[] = [
  mail,
  appleNotes,
  evernote,
  keep,
  dayOne,
  notion,
  obsidian,
  markdown,
  documents,
  photos,
  tabular,
]
