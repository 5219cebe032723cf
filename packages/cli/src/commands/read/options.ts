import { type Command, InvalidArgumentError, Option } from 'commander'

export const collect = (value: string, all: string[] = []): string[] => [...all, value]

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Adds the options of every read: the grant, and how to print. */
export function withReadOptions(command: Command): Command {
  command
    .option('--grant <id>', 'one of several cached grants (default: PDPP_GRANT, or the latest)')
    .option('--cache-root <folder>', 'the folder for tokens (default: PDPP_CACHE_ROOT, the nearest .pdpp, or ~/.pdpp)')
    .option('--json', "print the server's answer as JSON")
    .addOption(new Option('--format <format>').choices(['json', 'jsonl', 'table']).hideHelp())
    .addOption(new Option('--data').hideHelp())
  command.on('option:format', (format: string) => {
    if (format !== 'table') command.setOptionValue(format, true)
  })
  return command
}

export function withSourceOptions(command: Command): Command {
  command.option('--connection <id>', 'only this connection').option('--connector <key>', 'only this source')
  alsoAs(command, '--connection-id <id>', 'connection')
  alsoAs(command, '--connector-id <key>', 'connector')
  return command
}

/** Accepts a flag under the name that other `pdpp` commands use. The help does not list it. */
export function alsoAs(command: Command, flags: string, target: string): void {
  const option = new Option(flags).hideHelp()
  command.addOption(option)
  command.on(`option:${option.name()}`, (value: string) => {
    const parse = command.options.find((each) => each.attributeName() === target)?.parseArg
    command.setOptionValue(target, parse ? parse(value, undefined as never) : value)
  })
}
