/** True if the output may be coloured. */
export function colourWanted(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
}

/** The user's pager and its arguments, or an empty list for no pager. */
export function pagerCommand(env: NodeJS.ProcessEnv = process.env): string[] {
  const chosen = env['PAGER']
  if (chosen === undefined) return ['less', '-FRX']
  const words = chosen.split(' ').filter((word) => word !== '')
  return words[0] === 'cat' ? [] : words
}

/** The program that the user chose to open addresses with, or undefined for the system's. */
export function browserCommand(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env['BROWSER'] || undefined
}

/** True if a window can be opened on this Linux machine. */
export function hasScreen(env: NodeJS.ProcessEnv = process.env): boolean {
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/** Folders in which programs keep their settings. */
export function settingsFolders(env: NodeJS.ProcessEnv = process.env) {
  return {
    home: env['HOME'] ?? env['USERPROFILE'],
    appData: env['APPDATA'],
    config: env['XDG_CONFIG_HOME'],
    codex: env['CODEX_HOME'],
  }
}
