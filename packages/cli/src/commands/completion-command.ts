import { Argument, type Command } from 'commander'

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(['bash', 'zsh', 'fish']))
    .summary('print a script that completes commands and flags in your shell')
    .description(
      'Prints a completion script. bash: `source <(pdpp completion bash)` in ~/.bashrc. zsh: `source <(pdpp completion zsh)` in ~/.zshrc, after compinit. fish: `pdpp completion fish > ~/.config/fish/completions/pdpp.fish`.',
    )
    .action(async (shell) => {
      const { completionScript } = await import('../reference/completion.ts')
      process.stdout.write(completionScript(shell, program))
    })
}
