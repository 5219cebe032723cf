import { chatgpt } from './formats/chatgpt/importer.ts'
import { claude } from './formats/claude/importer.ts'
import { claudeCode } from './formats/claude-code/importer.ts'
import { codex } from './formats/codex/importer.ts'
import { googleContacts, outlookContacts, thunderbirdContacts } from './formats/contacts-csv/importer.ts'
import { gemini } from './formats/gemini/importer.ts'
import { icalendar } from './formats/icalendar/importer.ts'
import { mail } from './formats/mail/importer.ts'
import { tabular } from './formats/table/importer.ts'
import { vcard } from './formats/vcard/importer.ts'
import type { Importer } from './importer.ts'

/** Every importer, the most specific first. The last one accepts any file that has rows. */
export const importers: readonly Importer[] = [
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
  tabular,
]
