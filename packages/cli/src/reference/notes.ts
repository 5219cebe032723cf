import type { Command } from 'commander'
import { wrap } from '../terminal/width.ts'
import { everyCommand, pathOf } from './command-tree.ts'

/** Longer explanations for the help and the docs, by command. */
export const NOTES: Readonly<Record<string, string>> = {
  serve:
    'If you have no password, it prints a link that signs you in once, within ten minutes. `pdpp owner login` makes another. To listen beyond this machine, set a password and an https PDPP_PUBLIC_URL.',
  import:
    "Without --yes and without a terminal, the command imports only sources that it already knows. Exit codes for files: 2 the file can't be imported as it is, 4 you may not read the file, 5 there is no such file, 130 interrupted.",
  'owner login':
    'The link opens a page with a button. Opening the page does not use the link up; pressing the button does.',
  'owner reset-password': 'This signs out every browser.',
  'owner backup':
    'Asks for a passphrase, or reads it from standard input. Nobody can read the backup without it. With `-` as the file, the backup goes to standard output, and the server does not record it.',
  'owner restore':
    'Asks for the passphrase, or reads it from standard input. The data directory must be empty or missing, and no server may be running on it.',
  'owner export':
    'The archive is not encrypted: anyone who has it can read all of it. With `-` as the file, the archive goes to standard output, and the server does not record it.',
  'owner import':
    'Checks the whole archive before it writes anything. Grants, clients and receipts are not imported: give access again where you want it.',
  'owner erase':
    'The command ends when the data is gone from the database files. Backups, exports and copies made by clients are not erased.',
  'owner grant narrow':
    'A smaller grant replaces it. The agent keeps its token, but cursors of the old grant stop working.',
  'owner token':
    'The token is valid for a year and can do everything, so never give it to an agent. Agents read with `pdpp connect`, or with a token from `pdpp owner grant create`.',
  'owner grant create':
    '`--since` and `--until` need streams with a time. If a chosen stream has none, the command fails and lists the streams that have one.',
  'owner grant revoke': 'The server refuses the next request with it.',
  'read records':
    'Put conditions in quotes, because a shell treats > and < as redirections. `--since-last` starts with every record and continues from there each time. Deleted records appear as `deleted`. `--follow` waits for events if the server has them, and otherwise asks every 30 seconds.',
  'read search':
    'The command below a hit shows the field from just before the words that were found: `pdpp read field <id> <field> --offset <chars>`.',
}

export function addNotes(program: Command): void {
  for (const command of everyCommand(program)) {
    const note = NOTES[pathOf(command).join(' ')]
    if (note !== undefined) command.addHelpText('after', `\n${wrap(note, 80).join('\n')}`)
  }
}
