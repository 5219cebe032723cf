import { CommanderError } from 'commander'
import { EXIT } from './exit-codes.ts'
import { endsUnread } from './output.ts'
import { welcome } from './welcome.ts'

// Whoever reads a pipe may have had enough: that is no failure of ours, and no reason to leave work half done.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(EXIT.other)
    if (endsUnread()) process.exit(EXIT.done)
  })

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
        : EXIT.usage
      : (await import('./failure.ts')).report(error)
} finally {
  clearInterval(awake)
}
