import type { ImportState } from './import.ts'

/** The reason why an action is not possible in each state. */
export const IMPORT_STATE_TEXT: Readonly<Record<ImportState, string>> = {
  uploaded: 'This import is still being inspected.',
  recognised: 'This import has not started yet.',
  waiting: 'This import is already waiting to start.',
  running: 'This import is already running.',
  finished: 'This import has already finished.',
  failed: 'This import has failed.',
  stopped: 'This import was stopped.',
  undoing: 'This import is being undone.',
  undone: 'This import was undone.',
}
