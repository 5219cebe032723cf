import type { Command } from 'commander'
import { wrap } from '../terminal/width.ts'
import { everyCommand, pathOf } from './command-tree.ts'

/** What help and docs say beyond a command's description and its flags, by the words of the command. */
export const NOTES: Readonly<Record<string, string>> = {
  serve:
    'As long as no password is set, it prints a link that signs you in once, within ten minutes; later ones come from `pdpp owner login`. Listening beyond this machine needs a password and an https PDPP_PUBLIC_URL.',
  import:
    'Without --yes, and without a terminal, only sources that are known are taken in. Files bring their own exit codes: 2 a file that cannot be imported as it is, 4 a file that you may not read, 5 a file that is not there, 130 interrupted.',
  'owner login': 'Opening the link shows a button; only the button uses it up.',
  'owner reset-password': 'Every browser is signed out.',
  'owner backup':
    'Asks for a passphrase, or reads it from standard input. Without it the backup cannot be read by anybody. A `-` instead of a file writes to standard output, which the server is then not told of.',
  'owner restore':
    'Asks for the passphrase, or reads it from standard input. Needs a data directory that is empty or not there, and no server on it.',
  'owner export':
    'The archive is not encrypted: whoever has it can read all of it. A `-` instead of a file writes to standard output, which the server is then not told of.',
  'owner import':
    'The archive is checked as a whole before anything is written. Grants, clients and receipts in it are for reading only: access is given anew.',
  'owner erase':
    'Answered once nothing of it is left in the database files. Backups, exports and what clients have copied are not touched.',
  'owner grant narrow': 'A smaller grant takes its place; only the cursors of the old one end.',
  'owner token':
    'The token is valid for a year and can do everything: keep it from agents. They read with `pdpp connect`, or with the token of `pdpp owner grant create`.',
  'owner grant create':
    '`--since` and `--until` need streams with a time. If one of the chosen streams has none, the command is refused and names those that do.',
  'owner grant revoke': 'It stops working with the next request.',
  'read records':
    'A shell takes > and < for itself: put conditions in quotes. `--since-last` starts with every record and continues from there each time; records that are gone come as `deleted`.',
  'read search':
    'The command below a hit opens the field from just before the words that were found: `pdpp read field <id> <field> --offset <chars>`.',
}

export function addNotes(program: Command): void {
  for (const command of everyCommand(program)) {
    const note = NOTES[pathOf(command).join(' ')]
    if (note !== undefined) command.addHelpText('after', `\n${wrap(note, 80).join('\n')}`)
  }
}
