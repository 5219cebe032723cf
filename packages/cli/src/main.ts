import { CommanderError } from 'commander'
import { EXIT, EXIT_USAGE_OF_ADAPTER } from './terminal/exit-codes.ts'
import { endsUnread, printError } from './terminal/output.ts'
import { welcome } from './welcome.ts'

// Whoever reads a pipe may have had enough: that is no failure of ours, and no reason to leave work half done.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      if (stream === process.stdout)
        printError(
          `Standard output cannot be written (${error.code}).`,
          'Is the disk full? What came so far is not all.',
        )
      process.exit(EXIT.other)
    }
    if (endsUnread()) process.exit(EXIT.done)
  })

/** The adapter has codes of its own, which hosts know. */
const usageCode = (): number => (process.argv[2] === 'mcp' ? EXIT_USAGE_OF_ADAPTER : EXIT.usage)

// Some waits do not hold the process by themselves, and it must not end before its command does.
const awake = setInterval(() => {}, 1_000_000)
try {
  if (process.argv.length <= 2) welcome()
  else {
    const { createProgram } = await import('./program.ts')
    await createProgram().parseAsync()
  }
} catch (error) {
  process.exitCode =
    error instanceof CommanderError
      ? error.exitCode === 0
        ? EXIT.done
        : usageCode()
      : (await import('./terminal/failure.ts')).report(error)
} finally {
  clearInterval(awake)
}
