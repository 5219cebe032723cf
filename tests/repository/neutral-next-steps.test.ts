// Every surface shows the next step of a single error, so it must not speak the language of one of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Sentences after `nextStep:`, with `…` for every value that is put in. */
function sentences(source: string): string[] {
  return [...source.matchAll(/\bnextStep:([^{}]*?(?:\$\{[^{}]*\}[^{}]*?)*)(?=,\n|\n\s*\}| \})/g)].flatMap(
    ([, expression]) =>
      [...expression!.matchAll(/'((?:[^'\\]|\\.)+)'|`([^`]+)`/g)].map(([, plain, template]) =>
        (plain ?? template!).replaceAll(/\$\{[^}]*\}/g, '…'),
      ),
  )
}

const ROUTE = /\b(GET|POST|PUT|PATCH|DELETE) \/|\/v1\b/
const FLAG = /(^|\s)--[a-z]/
const TOOL =
  /\b(query_records|read_record_field|fetch_blob|list_streams)\b|\btool\b|\bcall (schema|search|fetch|aggregate)\b/i

test('the next step of a single error names no route, no tool and no flag', () => {
  const files = globSync('packages/{protocol,mcp,server}/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const found = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return source.includes('PdppError') ? sentences(source).map((sentence) => ({ file, sentence })) : []
  })
  expect(found.length).toBeGreaterThan(40)
  expect(found.filter(({ sentence }) => [ROUTE, FLAG, TOOL].some((pattern) => pattern.test(sentence)))).toEqual([])
})

test.each([
  ["{ param, nextStep: 'Call GET /v1/schema.' }", ['Call GET /v1/schema.']],
  [`{\n  nextStep: \`Use \${id} instead.\`,\n}`, ['Use … instead.']],
  ["{\n  nextStep:\n    'One.',\n}", ['One.']],
])('finds the sentence in %s', (source, expected) => expect(sentences(source)).toEqual(expected))
