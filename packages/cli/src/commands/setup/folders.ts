import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Folders } from '@pdpp/mcp-server/hosts'
import { settingsFolders } from '../../config/env.ts'

/** The configuration files of all hosts on this system. */
export function clientFolders(platform: NodeJS.Platform = process.platform): Folders {
  const folders = settingsFolders()
  const home = folders.home ?? homedir()
  const applications =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (folders.appData ?? join(home, 'AppData', 'Roaming'))
        : (folders.config ?? join(home, '.config'))
  return {
    here: process.cwd(),
    claudeDesktop: join(applications, 'Claude', 'claude_desktop_config.json'),
    cline: join(
      applications,
      'Code',
      'User',
      'globalStorage',
      'saoudrizwan.claude-dev',
      'settings',
      'cline_mcp_settings.json',
    ),
    codex: join(folders.codex ?? join(home, '.codex'), 'config.toml'),
    cursor: join(home, '.cursor', 'mcp.json'),
    vscode: join(applications, 'Code', 'User', 'mcp.json'),
    gemini: join(home, '.gemini', 'settings.json'),
    lmStudio: join(home, '.lmstudio', 'mcp.json'),
    openCode: join(folders.config ?? join(home, '.config'), 'opencode', 'opencode.json'),
    windsurf: join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    zed: join(
      platform === 'win32' ? applications : (folders.config ?? join(home, '.config')),
      platform === 'win32' ? 'Zed' : 'zed',
      'settings.json',
    ),
  }
}
