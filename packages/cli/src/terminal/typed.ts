let name = 'pdpp'

/** The word is also what agents call the server, so only what a command follows is a command. */
const COMMAND =
  /(?<![\w./@-])pdpp (?=(?:serve|demo|import|owner|connect|disconnect|status|read|setup|mcp|doctor|completion)\b|--(?:help|version)\b|\[|<command>)/g

/** Sets the command as people type it here, such as `./pdpp` in a clone. */
export function typeAs(command: string): void {
  name = command
}

/** Rewrites the commands in one of our own sentences so that they work as printed. Never pass data through it. */
export const typed = (text: string): string => (name === 'pdpp' ? text : text.replace(COMMAND, () => `${name} `))
