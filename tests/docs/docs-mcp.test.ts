// docs/mcp.md is compared with the adapter: its tools, arguments, flags, exit codes and limits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BLOB_WINDOW_BYTES, DEVELOPER } from '@pdpp/mcp-server/developer'
import { MCP_BODY_BYTES, RESULT_BYTES, WINDOW_CHARS } from '@pdpp/protocol'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
const section = (heading: string) => page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''
const firstCells = (text: string) =>
  [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )

test.each(DEVELOPER.definitions.map((tool) => [tool.name, tool] as const))(
  'docs/mcp.md describes every argument of %s',
  (name, tool) => {
    expect(firstCells(section(`### \`${name}\``)).sort()).toEqual(Object.keys(tool.inputSchema.properties).sort())
    const { required = [] } = tool.inputSchema
    for (const argument of required)
      expect(section(`### \`${name}\``)).toMatch(new RegExp(`^\\| .*\`${argument}\`.* \\| Required`, 'm'))
  },
)

test('docs/mcp.md lists the flags and exit codes of the local process', () => {
  const options = readFileSync(join(root, 'packages/mcp/src/transports/stdio/options.ts'), 'utf8')
  const run = readFileSync(join(root, 'packages/mcp/src/transports/stdio/run-stdio.ts'), 'utf8')
  const flags = [...options.matchAll(/^ {2}(--[a-z-]+)|, (--[a-z-]+)`/gm)].map((match) => match[1] ?? match[2])
  const local = section('## The local process')
  expect(firstCells(local).sort()).toEqual(flags.sort())
  for (const [, variable] of options.matchAll(/\(or (PDPP_\w+)\)/g)) expect(local).toContain(`\`${variable}\``)
  const codes = /const EXIT = \{([^}]+)\}/.exec(run)![1]!.match(/\d+/g)!
  const described = [...local.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code!)
  expect(described.sort()).toEqual(['0', '1', ...codes].sort())
})

test('docs/mcp.md names the developer entrypoint under Advanced alone', () => {
  const own = DEVELOPER.definitions.slice(6).map(({ name }) => name)
  for (const text of [page, readFileSync(join(root, 'packages/mcp/README.md'), 'utf8')]) {
    const [before = '', after = ''] = text.split('\n## Advanced\n')
    for (const word of ['developer', ...own]) {
      expect(before).not.toContain(word)
      expect(after).toContain(word)
    }
  }
  expect(readFileSync(join(root, 'README.md'), 'utf8')).not.toMatch(new RegExp(`mcp/developer|${own.join('|')}`))
})

test('docs/mcp.md gives the limits that are kept', () => {
  for (const limit of [RESULT_BYTES.default, RESULT_BYTES.large, WINDOW_CHARS.max, ...Object.values(BLOB_WINDOW_BYTES)])
    expect(page).toContain(limit.toLocaleString('en'))
  expect(page).toContain(`${MCP_BODY_BYTES / 1024} KiB`)
})
