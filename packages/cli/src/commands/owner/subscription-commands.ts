import type { Command } from 'commander'

/** `pdpp owner subscription …`: the changes that agents are notified of. */
export function addSubscriptionCommands(owner: Command): void {
  const subscription = owner
    .command('subscription')
    .alias('subscriptions')
    .description('which agents are told of changes, and where')
  subscription
    .command('list', { isDefault: true })
    .description('list event subscriptions, newest first')
    .option('--grant <id>', 'only those of this grant')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON, with the last deliveries of each')
    .action(async (options) => (await import('./subscriptions.ts')).listSubscriptions(options))
  subscription
    .command('stop <subscription-id>')
    .description("stop a subscription; its agent can't resume it, but may ask for another")
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./subscriptions.ts')).stopSubscription(id, options))
}
