import { commandLine } from '@pdpp/mcp-server/hosts'

/** Next steps of the error table have `{connect}` in place of the command that asks for access. */
export const withConnect = (nextStep: string, providerUrl: string): string =>
  nextStep.replace('{connect}', () => commandLine(['pdpp', 'connect', providerUrl]))
