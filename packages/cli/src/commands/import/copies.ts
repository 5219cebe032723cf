import { tmpdir } from 'node:os'
import { DatabaseCopies } from '@pdpp/importers'

/** Copies of databases go here, so that nothing is left next to the owner's files. */
export const copies = new DatabaseCopies(tmpdir())
