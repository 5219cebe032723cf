import type { Command } from 'commander'
import { addBackupCommands } from './archives/backup-commands.ts'
import { addPackageCommands } from './package-commands.ts'
import { addSourceAndReceiptCommands } from './source-and-receipt-commands.ts'
import { addSubscriptionCommands } from './subscription-commands.ts'
import { addWishCommands } from './wish-commands.ts'

const collect = (value: string, all: string[] = []): string[] => [...all, value]

/** `pdpp owner …`. Nouns are singular; plurals work too. */
export function addOwnerCommands(program: Command): void {
  const owner = program.command('owner').description('commands that only the owner of the data can use')

  owner
    .command('token')
    .description('print a token for your own reads and writes')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {access_token, expires_at}')
    .action(async (options) => (await import('./token.ts')).ownerToken(options))

  owner
    .command('login')
    .description('print a link that signs you in once')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {url, expires_at}')
    .action(async (options) => (await import('./login.ts')).ownerLogin(options))
  owner
    .command('reset-password')
    .description('set a new password; asks for it, or reads it from standard input')
    .option('--data-dir <path>', 'the data directory')
    .action(async (options) => (await import('./reset-password.ts')).resetPassword(options))

  const connection = owner
    .command('connection')
    .alias('connections')
    .description('the accounts and devices that data comes from')
  connection
    .command('list', { isDefault: true })
    .description('list connections')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./connections.ts')).listConnections(options))

  const client = owner.command('client').alias('clients').description('who has asked for access')
  client
    .command('list', { isDefault: true })
    .description('list clients, newest first')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./clients.ts')).listClients(options))
  client
    .command('show <client-id>')
    .description('show what is known about a client')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).showClient(id, options))
  client
    .command('revoke <client-id>')
    .description('revoke all access of a client')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).revokeClient(id, options))
  client
    .command('full-access <client-id>')
    .description('let your own program ask for full access, or stop that')
    .option('--remove', 'no longer let it ask')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).listForFullAccess(id, options))

  const grant = owner.command('grant').alias('grants').description('what agents may read')
  grant
    .command('create')
    .description('create a grant and a token for it')
    .requiredOption('--client <name>', 'who gets it')
    .requiredOption('--connection <id>', 'a connection it may read (repeatable, all of one source)', collect)
    .option(
      '--stream <name[:field,…]>',
      'a stream it may read, or some of its fields (repeatable; default: all streams)',
      collect,
    )
    .option('--fields <a,b>', 'fields for every stream without its own fields')
    .option('--since <time>', 'only records from this time on')
    .option('--until <time>', 'only records before this time')
    .option('--record <key>', 'only this record (repeatable)', collect)
    .option('--expires <time>', 'when the grant ends: a time, or 30m, 12h, 7d')
    .option('--single-use', 'only one token; lasts an hour unless you set --expires')
    .option('--purpose <text>', 'what the grant is for, in your words')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {grant_id, client_id, access_token, expires_at, grant}')
    .action(async (options) => (await import('./grant-create.ts')).createGrant(options))
  grant
    .command('list')
    .description('list grants, newest first')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./grants.ts')).listGrants(options))
  grant
    .command('show <grant-id>')
    .description('show what a grant allows')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grants.ts')).showGrant(id, options))
  grant
    .command('revoke <grant-id>')
    .description('revoke a grant; its token stops working at once')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grants.ts')).revokeGrant(id, options))
  grant
    .command('pause <grant-id>')
    .description('refuse the token of a grant until you resume it')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).pauseGrant(id, options))
  grant
    .command('resume <grant-id>')
    .description('let a paused grant work again')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).resumeGrant(id, options))
  grant
    .command('narrow <grant-id>')
    .description('reduce what a grant allows; its token keeps working')
    .option('--connection <id>', 'a connection to keep (repeatable; default: all)', collect)
    .option('--stream <name[:field,…]>', 'a stream to keep, or some of its fields (repeatable; default: all)', collect)
    .option('--fields <a,b>', 'fields to keep in every stream without its own fields')
    .option('--since <time>', 'only records from this time on')
    .option('--until <time>', 'only records before this time')
    .option('--record <key>', 'only this record (repeatable)', collect)
    .option('--expires <time>', 'when the grant ends: a time, or 30m, 12h, 7d')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).narrowGrant(id, options))

  addPackageCommands(owner)
  addWishCommands(owner)
  addSubscriptionCommands(owner)
  addSourceAndReceiptCommands(owner)
  addBackupCommands(owner)
}
