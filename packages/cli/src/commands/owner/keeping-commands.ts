import type { Command } from 'commander'

/** What keeps data safe, and what makes it go. */
export function addKeepingCommands(owner: Command): void {
  owner
    .command('erase')
    .argument('[record]', 'a record as reads name it: connection/stream:key')
    .description('remove a record, a stream or a connection for good')
    .option('--connection <id>', 'everything of this connection')
    .option('--stream <name>', 'only this stream of the connection')
    .option('--yes', 'do not ask')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (record, options) => (await import('./erase.ts')).erase(record, options))
}
