import { discord } from './formats/discord/importer.ts'
import { facebook } from './formats/facebook/importer.ts'
import { googleChat } from './formats/google-chat/importer.ts'
import { imessage } from './formats/imessage/importer.ts'
import { instagram } from './formats/instagram/importer.ts'
import { chatgpt } from './formats/chatgpt/importer.ts'
import { claude } from './formats/claude/importer.ts'
import { claudeCode } from './formats/claude-code/importer.ts'
import { codex } from './formats/codex/importer.ts'
import { googleContacts, outlookContacts, thunderbirdContacts } from './formats/contacts-csv/importer.ts'
import { gemini } from './formats/gemini/importer.ts'
import { icalendar } from './formats/icalendar/importer.ts'
import { mail } from './formats/mail/importer.ts'
import { matrix } from './formats/matrix/importer.ts'
import { signal } from './formats/signal/importer.ts'
import { slack } from './formats/slack/importer.ts'
import { tabular } from './formats/table/importer.ts'
import { telegram } from './formats/telegram/importer.ts'
import { whatsapp } from './formats/whatsapp/importer.ts'
import { vcard } from './formats/vcard/importer.ts'
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
  tabular,
]
