import { tmpdir } from 'node:os'
import { DatabaseCopies } from '@pdpp/importers'

/** Beside the owner's files nothing is left, so copies of databases go here. */
export const copies = new DatabaseCopies(tmpdir())
