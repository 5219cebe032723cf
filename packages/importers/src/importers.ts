import type { Importer } from './importer.ts'
import { mail } from './mail/importer.ts'
import { tabular } from './tabular/importer.ts'

/** Every importer, the most particular first: what none of the others knows may still have rows. */
export const importers: readonly Importer[] = [mail, tabular]
