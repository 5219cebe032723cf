/** What the command reads from the environment beside the settings of the server and of the adapter. */
export function colourWanted(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

/** The program that shows long texts, and its arguments; none where the user wants none. */
export function pagerCommand(env: NodeJS.ProcessEnv = process.env): string[] {
  const chosen = env['PAGER']
  if (chosen === undefined) return ['less', '-FRX']
  const words = chosen.split(' ').filter((word) => word !== '')
  return words[0] === 'cat' ? [] : words
}

/** The user's own program for opening addresses, before the system's. */
export function browserCommand(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['BROWSER'] || undefined
}

/** Where programs keep their settings on this system. */
export function settingsFolders(env: NodeJS.ProcessEnv = process.env) {
  return {
    home: env['HOME'] ?? env['USERPROFILE'],
    appData: env['APPDATA'],
    config: env['XDG_CONFIG_HOME'],
    codex: env['CODEX_HOME'],
  }
}
