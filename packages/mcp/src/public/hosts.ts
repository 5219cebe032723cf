/** Instructions for connecting each AI host, for `pdpp setup`, the greeting of `pdpp serve` and the connect page. */

export { type ConfigurationFile, snippet, withEntry } from '../hosts/configuration-text.ts'
export { type Entry, type Folders, type Host, hostedEntry } from '../hosts/entry.ts'
export { HOST_NAMES, HOSTED_NAMES, type HostName } from '../hosts/host-names.ts'
export { HOSTS } from '../hosts/hosts.ts'
export { commandLine, quoted } from '../hosts/shell-quote.ts'
