import type { Argument, Command } from 'commander'
import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { zshCompletion } from './completion-zsh.ts'

/** A word that can follow a command. */
export interface Candidate {
  readonly word: string
  readonly meaning: string
}

/** A command, and the words that can follow it. */
export interface Place {
  /** The names after `pdpp`, joined by spaces. Empty for `pdpp` itself. */
  readonly path: string
  readonly words: readonly Candidate[]
  readonly flags: readonly Candidate[]
  /** Flags that take a value. After them the shell completes file names. */
  readonly valued: readonly string[]
}

export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program)
  return { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell](places)
}

export function placesOf(program: Command): Place[] {
  const visible = (command: Command) =>
    program
      .createHelp()
      .visibleCommands(command)
      .filter((each) => each.name() !== 'help')
  const all = (command: Command): Command[] => [command, ...visible(command).flatMap(all)]
  return all(program).flatMap((command) => {
    const options = command.options.filter((option) => !option.hidden && option.long)
    const place = {
      words: [
        ...visible(command).map((each) => ({ word: each.name(), meaning: each.summary() || each.description() })),
        ...command.registeredArguments.flatMap(choices),
      ],
      flags: [
        ...options.map((option) => ({ word: option.long!, meaning: option.description })),
        { word: '--help', meaning: 'show help' },
      ],
      valued: options.filter((option) => option.required).map((option) => option.long!),
    }
    return spellings(command).map((path) => ({ path, ...place }))
  })
}

/** All paths of a command, aliases included: `owner grants` completes like `owner grant`. */
function spellings(command: Command): string[] {
  if (!command.parent) return ['']
  const names = [command.name(), ...command.aliases()]
  return spellings(command.parent).flatMap((before) => names.map((name) => `${before} ${name}`.trim()))
}

const choices = (argument: Argument): Candidate[] =>
  (argument.argChoices ?? []).map((word) => ({ word, meaning: argument.description }))
