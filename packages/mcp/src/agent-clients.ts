/** How each AI client is connected, said once: for `pdpp setup`, the greeting of `pdpp serve` and the page that connects. */
export { CLIENT_NAMES, type ClientName, HOSTED_NAMES } from './agent-clients/client-names.ts'
export { CLIENTS, type Client } from './agent-clients/clients.ts'
export { type ConfigurationFile, snippet, withEntry } from './agent-clients/configuration-text.ts'
export { type Entry, type Folders, hostedEntry } from './agent-clients/entry.ts'
export { commandLine, quoted } from './agent-clients/shell-quote.ts'
