// docs/mcp.md is compared with the adapter: its tools, arguments, flags, exit codes and limits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOOLS } from '@pdpp/mcp-server'
import { MCP_BODY_BYTES, RESULT_BYTES, WINDOW_CHARS } from '@pdpp/protocol'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/mcp.md'), 'utf8')
const section = (heading: string) => page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''
const firstCells = (text: string) =>
  [...text.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  )

test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
  'docs/mcp.md describes every argument of %s',
  (name, tool) => {
    expect(firstCells(section(`### \`${name}\``)).sort()).toEqual(Object.keys(tool.inputSchema.properties).sort())
    const { required = [] } = tool.inputSchema as { required?: readonly string[] }
    for (const argument of required)
      expect(section(`### \`${name}\``)).toMatch(new RegExp(`^\\| .*\`${argument}\`.* \\| Required`, 'm'))
  },
)

test('docs/mcp.md lists the flags and exit codes of the local process', () => {
  const options = readFileSync(join(root, 'packages/mcp/src/stdio/options.ts'), 'utf8')
  const run = readFileSync(join(root, 'packages/mcp/src/stdio/run-stdio.ts'), 'utf8')
  const flags = [...options.matchAll(/^ {2}(--[a-z-]+)|, (--[a-z-]+)`/gm)].map((match) => match[1] ?? match[2])
  const local = section('## The local process')
  expect(firstCells(local).sort()).toEqual(flags.sort())
  for (const [, variable] of options.matchAll(/\(or (PDPP_\w+)\)/g)) expect(local).toContain(`\`${variable}\``)
  const codes = /const EXIT = \{([^}]+)\}/.exec(run)![1]!.match(/\d+/g)!
  const described = [...local.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code!)
  expect(described.sort()).toEqual(['0', '1', ...codes].sort())
})

test('docs/mcp.md gives the limits that are kept', () => {
  for (const limit of [RESULT_BYTES.default, RESULT_BYTES.large, WINDOW_CHARS.max])
    expect(page).toContain(limit.toLocaleString('en'))
  expect(page).toContain(`${MCP_BODY_BYTES / 1024} KiB`)
})
