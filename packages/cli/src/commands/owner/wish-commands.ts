import type { Command } from 'commander'

/** `pdpp owner wish …`: requests of agents that were refused. */
export function addWishCommands(owner: Command): void {
  const wish = owner
    .command('wish')
    .alias('wishes')
    .description('what agents asked for and were refused: allow, deny or silence it')
  wish
    .command('list', { isDefault: true })
    .description('list wishes, the latest first')
    .option('--client <id>', 'only those of this agent')
    .option('--state <state>', 'open, denied or silenced')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./wishes.ts')).listWishes(options))
  wish
    .command('allow <wish-id>')
    .description('open the page that shows what the agent would read; you allow it there')
    .option('--no-browser', 'print the address instead of opening it')
    .option('--data-dir <path>', 'the data directory')
    .action(async (id, options) => (await import('./wishes.ts')).allowWish(id, options))
  for (const [name, description] of [
    ['deny', 'refuse a wish for good; you are not asked again'],
    ['silence', 'hide a wish for good; it stays refused'],
  ] as const)
    wish
      .command(`${name} <wish-id>`)
      .description(description)
      .option('--data-dir <path>', 'the data directory')
      .option('--json', 'print JSON')
      .action(async (id, options) => (await import('./wishes.ts')).decideWish(id, name, options))
}
