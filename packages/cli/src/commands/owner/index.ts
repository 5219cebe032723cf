import type { Command } from 'commander'
import { addKeepingCommands } from './archives/backup-commands.ts'
import { addPackageCommands } from './package-commands.ts'
import { addLookingCommands } from './source-and-receipt-commands.ts'
import { addSubscriptionCommands } from './subscription-commands.ts'

const collect = (value: string, all: string[] = []): string[] => [...all, value]

/** `pdpp owner …`: nouns are singular, plurals are accepted. */
export function addOwnerCommands(program: Command): void {
  const owner = program.command('owner').description('what only the owner of the data may do')

  owner
    .command('token')
    .description('print a token for your own reads and writes')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print {access_token, expires_at}')
    .action(async (options) => (await import('./token.ts')).ownerToken(options))

  owner
    .command('login')
    .description('print a link that signs you in, once')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print {url, expires_at}')
    .action(async (options) => (await import('./login.ts')).ownerLogin(options))
  owner
    .command('reset-password')
    .description('set your password anew; asks for it, or reads it from standard input')
    .option('--data-dir <path>', 'where records are kept')
    .action(async (options) => (await import('./reset-password.ts')).resetPassword(options))

  const connection = owner
    .command('connection')
    .alias('connections')
    .description('the accounts and devices that data came from')
  connection
    .command('list', { isDefault: true })
    .description('list connections')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./connections.ts')).listConnections(options))

  const client = owner.command('client').alias('clients').description('who has asked for access')
  client
    .command('list', { isDefault: true })
    .description('list clients, newest first')
    .option('--limit <number>', 'how many at most', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./clients.ts')).listClients(options))
  client
    .command('show <client-id>')
    .description('show who a client says it is')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).showClient(id, options))
  client
    .command('revoke <client-id>')
    .description('end everything that a client was given')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).revokeClient(id, options))
  client
    .command('full-access <client-id>')
    .description('let a program of yours ask for full access, or no longer')
    .option('--remove', 'take it off the list')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./clients.ts')).listForFullAccess(id, options))

  const grant = owner.command('grant').alias('grants').description('what agents may read')
  grant
    .command('create')
    .description('issue a grant and a token for it')
    .requiredOption('--client <name>', 'who gets it')
    .requiredOption('--connection <id>', 'a connection it may read (repeatable, all of one source)', collect)
    .option(
      '--stream <name[:field,…]>',
      'a stream it may read, or some of its fields (repeatable; default: all streams)',
      collect,
    )
    .option('--fields <a,b>', 'fields for every stream that names none')
    .option('--since <time>', 'only records from this time on')
    .option('--until <time>', 'only records before this time')
    .option('--record <key>', 'only this record (repeatable)', collect)
    .option('--expires <time>', 'when the grant ends: a time, or 30m, 12h, 7d')
    .option('--single-use', 'one token only; lasts an hour unless --expires says otherwise')
    .option('--purpose <text>', 'what it is for, in your words')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print {grant_id, client_id, access_token, expires_at, grant}')
    .action(async (options) => (await import('./grant-create.ts')).createGrant(options))
  grant
    .command('list')
    .description('list grants, newest first')
    .option('--limit <number>', 'how many at most', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./grants.ts')).listGrants(options))
  grant
    .command('show <grant-id>')
    .description('show what a grant allows')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grants.ts')).showGrant(id, options))
  grant
    .command('revoke <grant-id>')
    .description('end a grant; its token stops working at once')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grants.ts')).revokeGrant(id, options))
  grant
    .command('pause <grant-id>')
    .description('refuse its token until you resume it')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).pauseGrant(id, options))
  grant
    .command('resume <grant-id>')
    .description('let a paused grant work again')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).resumeGrant(id, options))
  grant
    .command('narrow <grant-id>')
    .description('leave less in a grant; its token keeps working')
    .option('--connection <id>', 'a connection to keep (repeatable; default: all)', collect)
    .option('--stream <name[:field,…]>', 'a stream to keep, or some of its fields (repeatable; default: all)', collect)
    .option('--fields <a,b>', 'fields to keep in every stream that names none')
    .option('--since <time>', 'only records from this time on')
    .option('--until <time>', 'only records before this time')
    .option('--record <key>', 'only this record (repeatable)', collect)
    .option('--expires <time>', 'when the grant ends: a time, or 30m, 12h, 7d')
    .option('--data-dir <path>', 'where records are kept')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./grant-changes.ts')).narrowGrant(id, options))

  addPackageCommands(owner)
  addSubscriptionCommands(owner)
  addLookingCommands(owner)
  addKeepingCommands(owner)
}
