let name = 'pdpp'

/** `pdpp` is also the name of the server in hosts, so it counts as a command only if a command word follows. */
const COMMAND =
  /(?<![\w./@-])pdpp (?=(?:serve|demo|import|owner|connect|disconnect|status|read|setup|mcp|doctor|completion)\b|--(?:help|version)\b|\[|<command>)/g

/** Sets the command as people type it here, such as `./pdpp` in a clone. */
export function typeAs(command: string): void {
  name = command
}

/** Rewrites the commands in one of our own sentences so that they work as printed. Never pass data through it. */
export const typed = (text: string): string => (name === 'pdpp' ? text : text.replace(COMMAND, () => `${name} `))
