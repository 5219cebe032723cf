import type { Command } from 'commander'

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .argument('[url]', 'the server to check (default: the one running here, or the one you are connected to)')
    .summary('find out what is wrong and how to fix it')
    .description(
      'Does what an agent does, from the first request without a token to a search. Checks the data directory, the disk, the search index and the clock. Reads both databases, the activity log and a sample of the files, whether the server runs or not. Names the first broken thing and how to fix it. Changes nothing.',
    )
    .option('--data-dir <path>', 'the data directory')
    .option('--grant <id>', 'read with this access, if there are several')
    .option('--cache-root <folder>', 'the folder for tokens (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)')
    .option('--json', 'print every check as JSON')
    .action(async (url, options) => (await import('./doctor.ts')).doctor(url, options))
}
