import type { Command } from 'commander'

/** `pdpp owner source …` and `pdpp owner receipt …`. */
export function addSourceAndReceiptCommands(owner: Command): void {
  const source = owner.command('source').alias('sources').description('where data comes from, and its streams')
  source
    .command('list', { isDefault: true })
    .description('list sources')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./sources.ts')).listSources(options))
  source
    .command('show <source>')
    .description('show the streams of a source, with record counts per connection')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print the declaration')
    .action(async (key, options) => (await import('./sources.ts')).showSource(key, options))

  const receipt = owner.command('receipt').alias('receipts').description('who read what, and what was refused')
  receipt
    .command('list', { isDefault: true })
    .description('list receipts, newest first')
    .option('--client <id>', 'only reads by this client')
    .option('--grant <id>', 'only reads with this grant')
    .option('--stream <name>', 'only reads of this stream')
    .option('--record <result-id>', 'only reads that returned this record: connection/stream:key')
    .option('--since <time>', 'only from this time on')
    .option('--until <time>', 'only before this time')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--follow', 'show each read as it happens, until Ctrl-C')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON; with --follow, one receipt per line')
    .action(async (options) => (await import('./receipts.ts')).listReceipts(options))
}
