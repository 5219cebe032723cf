import { discord } from './formats/discord/importer.ts'
import { facebook } from './formats/facebook/importer.ts'
import { googleChat } from './formats/google-chat/importer.ts'
import { imessage } from './formats/imessage/importer.ts'
import { instagram } from './formats/instagram/importer.ts'
import { mail } from './formats/mail/importer.ts'
import { matrix } from './formats/matrix/importer.ts'
import { signal } from './formats/signal/importer.ts'
import { slack } from './formats/slack/importer.ts'
import { tabular } from './formats/table/importer.ts'
import { telegram } from './formats/telegram/importer.ts'
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
  mail,
  tabular,
]
