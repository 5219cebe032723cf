/** Something a person must change before the server can start. Shown as one line, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
