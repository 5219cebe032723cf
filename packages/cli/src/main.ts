import { CommanderError } from 'commander'
import { typedCommand } from './invocation.ts'
import { EXIT, EXIT_USAGE_OF_ADAPTER } from './terminal/exit-codes.ts'
import { endsUnread, printError } from './terminal/output.ts'
import { typeAs } from './terminal/typed.ts'
import { welcome } from './welcome.ts'

// The reader of a pipe may stop early, as `head` does. That is not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      if (stream === process.stdout)
        printError(`Can't write to standard output (${error.code}).`, 'Is the disk full? The output is incomplete.')
      process.exit(EXIT.other)
    }
    if (endsUnread()) process.exit(EXIT.done)
  })

/** The adapter has its own exit codes, which hosts know. */
const usageCode = (): number => (process.argv[2] === 'mcp' ? EXIT_USAGE_OF_ADAPTER : EXIT.usage)

typeAs(typedCommand())

// Some waits do not keep the process alive, so this timer does until the command ends.
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
