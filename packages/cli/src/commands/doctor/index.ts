import type { Command } from 'commander'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .argument('[url]', 'the server to look at (default: the one that runs here, or the one that you are connected to)')
    .summary('find out what is wrong, and how to mend it')
    .description(
      'Walks the way that an AI client walks, from the first refusal to a search, and looks at the data directory, the disk, the search index and the clock. Reads both databases, the chain of receipts and a sample of the blobs, with the server running or not. Names the first broken thing and its mend. Changes nothing.',
    )
    .option('--data-dir <path>', 'where records are kept')
    .option('--grant <id>', 'try with this one of several cached grants')
    .option('--cache-root <folder>', 'where tokens are kept (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)')
    .option('--json', 'print every check as JSON')
    .action(async (url, options) => (await import('./doctor.ts')).doctor(url, options))
}
