/** What the command reads from the environment beside the server's own settings. */
export function colourWanted(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb'
}
