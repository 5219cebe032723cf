import { DESKTOP_HOSTS } from './desktop-hosts.ts'
import { type Host, SIGN_IN, words } from './entry.ts'
import type { HostName } from './host-names.ts'
import { commandLine } from './shell-quote.ts'
import { TERMINAL_HOSTS } from './terminal-hosts.ts'

const CLOUD_HOSTS = {
  claude: {
    title: 'Claude (web, phone)',
    reachesLocal: false,
    startsPrograms: false,
    steps: DESKTOP_HOSTS['claude-desktop'].steps,
    after: () => `Choose "Connect". ${SIGN_IN}`,
  },
  chatgpt: {
    title: 'ChatGPT',
    reachesLocal: false,
    startsPrograms: false,
    steps: (name, entry) =>
      entry.kind === 'hosted'
        ? [
            'Open Settings, then Apps & Connectors, and turn on Developer mode under Advanced settings.',
            'Choose "Create".',
            `Name: ${name}`,
            `MCP server URL: ${entry.url}`,
            'Authentication: OAuth',
          ]
        : [],
    after: () => `Choose "Create" again. ${SIGN_IN}`,
  },
  other: {
    title: 'Anything else',
    reachesLocal: true,
    startsPrograms: true,
    steps: (name, entry) =>
      entry.kind === 'hosted'
        ? [
            `Name: ${name}`,
            'Transport: Streamable HTTP',
            `URL: ${entry.url}`,
            'Authentication: OAuth (the agent registers itself)',
          ]
        : [`Name: ${name}`, 'Transport: stdio', `Command: ${commandLine(words(entry))}`],
    after: (_name, entry) => (entry.kind === 'hosted' ? `Connect it. ${SIGN_IN}` : 'Start the agent again.'),
  },
} satisfies Record<string, Host>

export const HOSTS: Record<HostName, Host> = { ...TERMINAL_HOSTS, ...DESKTOP_HOSTS, ...CLOUD_HOSTS }
