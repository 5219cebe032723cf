import type { Command } from 'commander'

/** What keeps data safe, and what makes it go. */
export function addKeepingCommands(owner: Command): void {
  owner
    .command('backup')
    .argument('<file>', 'the file to write; nothing is overwritten; - is standard output')
    .description('write everything into one encrypted file, while the server runs or not')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print {file, bytes, created_at}')
    .action(async (file, options) => (await import('./backup.ts')).backup(file, options))
  owner
    .command('restore')
    .argument('<file>', 'what `pdpp owner backup` wrote')
    .description('put a backup into an empty data directory, after checking all of it')
    .option('--data-dir <path>', 'where records are to be kept')
    .option('--json', 'print {data_dir, created_at}')
    .action(async (file, options) => (await import('./restore.ts')).restore(file, options))
  owner
    .command('export')
    .argument('<file>', 'the archive to write (.tar.gz); nothing is overwritten; - is standard output')
    .description('write all data as plain files into one archive, without tokens and passwords')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print {file, bytes, created_at, records, receipts}')
    .action(async (file, options) => (await import('./export.ts')).exportData(file, options))
  owner
    .command('import')
    .argument('<file>', 'what `pdpp owner export` wrote')
    .description('take in an export: its sources, connections and records; safe to repeat')
    .option('--data-dir <path>', 'where records are to be kept')
    .option('--json', 'print JSON')
    .action(async (file, options) => (await import('./import-archive.ts')).importArchive(file, options))
  owner
    .command('erase')
    .argument('[record]', 'a record as reads name it: connection/stream:key')
    .description('remove a record, a stream or a connection for good')
    .option('--connection <id>', 'everything of this connection')
    .option('--stream <name>', 'only this stream of the connection')
    .option('--yes', 'do not ask')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (record, options) => (await import('../erase.ts')).erase(record, options))
}
