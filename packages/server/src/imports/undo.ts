import type { StoredImport } from './import.ts'

/** Max. imports and days for which earlier versions of changed records are stored. */
export const UNDO_IMPORTS = 20
export const UNDO_DAYS = 30

export type Undoable = { readonly possible: true } | { readonly possible: false; readonly reason: string }

/** Tells whether an import can be undone now, and if not, why. */
export function undoable({ state, written, made, dropped }: StoredImport): Undoable {
  const no = (reason: string): Undoable => ({ possible: false, reason })
  const [added, changed] = [sumOf(written, 'added'), sumOf(written, 'changed')]
  if (state === 'undone' || state === 'undoing') return no('It is undone.')
  if (!['finished', 'stopped', 'failed'].includes(state)) return no('It is still running.')
  if (added + changed + made.length === 0) return no('It changed nothing.')
  // The change log shows at any time which records an import added.
  if (changed === 0 || dropped === undefined) return { possible: true }
  if (dropped === 'too_large') return no('It changed too many items to keep their earlier versions.')
  return no(`It changed items, and earlier versions are kept for ${UNDO_DAYS} days and ${UNDO_IMPORTS} imports only.`)
}

export function sumOf(
  written: StoredImport['written'],
  count: 'added' | 'changed' | 'removed' | 'restored' | 'kept',
): number {
  return written.reduce((sum, feed) => sum + feed[count], 0)
}
