import { tmpdir } from 'node:os'
import { DatabaseCopies } from '@pdpp/importers'

/** Databases are copied to the temporary folder, because an import must not create files next to the owner's. */
export const copies = new DatabaseCopies(tmpdir())
