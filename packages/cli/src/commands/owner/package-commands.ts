import type { Command } from 'commander'

const collect = (value: string, all: string[] = []): string[] => [...all, value]

/** `pdpp owner package …` */
export function addPackageCommands(owner: Command): void {
  const pack = owner.command('package').alias('packages').description('several grants under one token')
  pack
    .command('create')
    .description('create a package of grants and a token for it')
    .requiredOption('--grant <id>', 'a grant to include (repeatable; no two may read the same connection)', collect)
    .option('--client <name>', 'who gets it (default: the client of the first grant)')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print {package_id, client_id, access_token, expires_at, package}')
    .action(async (options) => (await import('./packages.ts')).createPackage(options))
  pack
    .command('list')
    .description('list packages, newest first')
    .option('--limit <number>', 'max. number of rows', '25')
    .option('--cursor <cursor>', 'continue an earlier list')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./packages.ts')).listPackages(options))
  pack
    .command('show <package-id>')
    .description('show the grants of a package')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./packages.ts')).showPackage(id, options))
  pack
    .command('revoke <package-id>')
    .description('revoke a package and every grant in it')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./packages.ts')).revokePackage(id, options))
  pack
    .command('pause <package-id>')
    .description('refuse the token of a package until you resume it')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./packages.ts')).pausePackage(id, options))
  pack
    .command('resume <package-id>')
    .description('let every paused grant of a package work again')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print JSON')
    .action(async (id, options) => (await import('./packages.ts')).resumePackage(id, options))
}
