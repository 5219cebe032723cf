import type { Command } from 'commander'

/** `pdpp owner source …` and `pdpp owner receipt …`: what is here, and who read it. */
export function addLookingCommands(owner: Command): void {
  const source = owner.command('source').alias('sources').description('where data comes from, and what it is made of')
  source
    .command('list', { isDefault: true })
    .description('list declared sources')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./sources.ts')).listSources(options))
  source
    .command('show <source>')
    .description('show the streams of a source, with their records in each connection')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print the declaration')
    .action(async (key, options) => (await import('./sources.ts')).showSource(key, options))

  const receipt = owner.command('receipt').alias('receipts').description('who read what, and what was refused')
  receipt
    .command('list', { isDefault: true })
    .description('list receipts, newest first')
    .option('--client <id>', 'only what this client read')
    .option('--grant <id>', 'only what was read with this grant')
    .option('--stream <name>', 'only reads of this stream')
    .option('--record <result-id>', 'only reads that showed this record: connection/stream:key')
    .option('--since <time>', 'only from this time on')
    .option('--until <time>', 'only before this time')
    .option('--limit <number>', 'how many at most', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--follow', 'stay, and show each read as it happens, until Ctrl-C')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON; with --follow a receipt on each line')
    .action(async (options) => (await import('./receipts.ts')).listReceipts(options))
}
