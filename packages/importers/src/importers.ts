import { appleNotes } from './formats/apple-notes/importer.ts'
import { chatgpt } from './formats/chatgpt/importer.ts'
import { claude } from './formats/claude/importer.ts'
import { claudeCode } from './formats/claude-code/importer.ts'
import { codex } from './formats/codex/importer.ts'
import { googleContacts, outlookContacts, thunderbirdContacts } from './formats/contacts-csv/importer.ts'
import { dayOne } from './formats/day-one/importer.ts'
import { discord } from './formats/discord/importer.ts'
import { documents } from './formats/document/importer.ts'
import { evernote } from './formats/evernote/importer.ts'
import { facebook } from './formats/facebook/importer.ts'
import { gemini } from './formats/gemini/importer.ts'
import { googleChat } from './formats/google-chat/importer.ts'
import { icalendar } from './formats/icalendar/importer.ts'
import { imessage } from './formats/imessage/importer.ts'
import { instagram } from './formats/instagram/importer.ts'
import { keep } from './formats/keep/importer.ts'
import { mail } from './formats/mail/importer.ts'
import { markdown } from './formats/markdown/importer.ts'
import { matrix } from './formats/matrix/importer.ts'
import { notion } from './formats/notion/importer.ts'
import { obsidian } from './formats/obsidian/importer.ts'
import { photos } from './formats/photo/importer.ts'
import { signal } from './formats/signal/importer.ts'
import { slack } from './formats/slack/importer.ts'
import { tabular } from './formats/table/importer.ts'
import { telegram } from './formats/telegram/importer.ts'
import { vcard } from './formats/vcard/importer.ts'
import { whatsapp } from './formats/whatsapp/importer.ts'
import type { Importer } from './importer.ts'

/** Every importer, the most specific first. The last one accepts any file that has rows. */
export const importers: readonly Importer[] = [
  signal,
  whatsapp,
  telegram,
  slack,
  instagram,
  facebook,
  imessage,
  discord,
  googleChat,
  matrix,
  chatgpt,
  claude,
  claudeCode,
  codex,
  gemini,
  icalendar,
  vcard,
  googleContacts,
  thunderbirdContacts,
  outlookContacts,
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
