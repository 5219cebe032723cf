import type { Command } from 'commander'

const collect = (value: string, all: string[] = []): string[] => [...all, value]

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .argument(
      '<file...>',
      'files, folders and zip archives: exports of services, tables, mail (docs/importers lists them)',
    )
    .description('import files, as records that you can read and grant; safe to repeat')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show what would be imported, and write nothing')
    .option('--only <part>', 'only this part of the plan: its number, or its name (repeatable)', collect)
    .option('--watch', 'stay, and import what is new or changed in the folders')
    .option('--source <name>', 'the source that the records belong to')
    .option('--connection <id>', 'the account or device of the source')
    .option('--stream <name>', 'the stream that a table becomes')
    .option('--table <name>', 'only this table of a database or list of a JSON file (repeatable)', collect)
    .option('--key <a,b>', 'the columns that name a row')
    .option('--time <column>', 'the time of a record, which grants can be limited by')
    .option('--text <a,b>', 'the columns that are searched')
    .option('--title <column>', 'the column that labels a record')
    .option('--type <column=type>', 'how to read a column (repeatable)', collect)
    .option('--no-header', 'the first row of the table is data, not names')
    .option('--zone <name>', 'the time zone of times that name none, e.g. Europe/Berlin (default: UTC)')
    .option('--keep-demo', 'import beside demo data, without a question')
    .option('--remove-demo', 'remove demo data first')
    .option('--declaration <file>', 'the same decisions from a JSON file; flags come first')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print one JSON object at the end')
    .option('--jsonl', 'print a JSON object per line as things happen: plan, problem, progress, result')
    .action(async (files, options) => (await import('./run.ts')).importCommand(files, options))
}
