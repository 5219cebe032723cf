import type { Command } from 'commander'

/** Commands that back up, export, import and erase data. */
export function addBackupCommands(owner: Command): void {
  owner
    .command('backup')
    .argument('<file>', 'the file to write, or - for standard output; an existing file is not replaced')
    .description('write everything into one encrypted file; the server may be running')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {file, bytes, created_at}')
    .action(async (file, options) => (await import('./backup.ts')).backup(file, options))
  owner
    .command('restore')
    .argument('<file>', 'a file from `pdpp owner backup`')
    .description('restore a backup into an empty data directory, after checking all of it')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {data_dir, created_at}')
    .action(async (file, options) => (await import('./restore.ts')).restore(file, options))
  owner
    .command('export')
    .argument('<file>', 'the archive to write (.tar.gz), or - for standard output; an existing file is not replaced')
    .description('write all data as plain files into one archive, without tokens and passwords')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {file, bytes, created_at, records, receipts}')
    .action(async (file, options) => (await import('./export.ts')).exportData(file, options))
  owner
    .command('import')
    .argument('<file>', 'a file from `pdpp owner export`')
    .description('import an export: its sources, connections and records; safe to repeat')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (file, options) => (await import('./import-archive.ts')).importArchive(file, options))
  owner
    .command('erase')
    .argument('[record]', 'a record as reads name it: connection/stream:key')
    .description('delete a record, a stream or a connection for good')
    .option('--connection <id>', 'erase everything of this connection')
    .option('--stream <name>', 'erase only this stream of the connection')
    .option('--yes', 'do not ask')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (record, options) => (await import('../erase.ts')).erase(record, options))
}
