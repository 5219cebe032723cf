import type { Command } from 'commander'

const collect = (value: string, all: string[] = []): string[] => [...all, value]

export function addImportCommand(program: Command): void {
  program
    .command('import')
    .argument(
      '<file...>',
      'files, folders and zip archives: exports of services, tables, mail (docs/importers lists them)',
    )
    .description('import files; safe to repeat')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'show what would be imported, and write nothing')
    .option('--only <part>', 'only this part of the plan: its number, or its name (repeatable)', collect)
    .option('--watch', 'keep running, and import what is new or changed in the folders')
    .option('--source <name>', 'the name of the source')
    .option('--connection <id>', 'the account or device of the source')
    .option('--stream <name>', 'the stream that a table becomes')
    .option('--table <name>', 'only this table of a database or list of a JSON file (repeatable)', collect)
    .option('--key <a,b>', 'the columns that identify a row')
    .option('--time <column>', 'the column with the date or time of an item; access can be limited by it')
    .option('--text <a,b>', 'the columns that search covers')
    .option('--title <column>', 'the column with the title of an item')
    .option('--type <column=type>', 'how to read a column (repeatable)', collect)
    .option('--no-header', 'the first row of the table is data, not names')
    .option('--zone <name>', 'the time zone of times without one, e.g. Europe/Berlin (default: UTC)')
    .option('--keep-demo', 'keep the demo data, and do not ask')
    .option('--remove-demo', 'remove demo data first')
    .option('--declaration <file>', 'the same settings from a JSON file; flags override them')
    .option('--data-dir <path>', 'the data directory')
    .option('--json', 'print one JSON object at the end')
    .option('--jsonl', 'print a JSON object per line as things happen: plan, problem, progress, result')
    .action(async (files, options) => (await import('./run.ts')).importCommand(files, options))
}
