import { mail } from './formats/mail/importer.ts'
import { tabular } from './formats/table-importer.ts'
import type { Importer } from './importer.ts'

/** Every importer, the most particular first: what none of the others knows may still have rows. */
export const importers: readonly Importer[] = [mail, tabular]
