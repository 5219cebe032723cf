/** A problem that a person must fix before the server can start. Printed as one line, without a stack. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}
