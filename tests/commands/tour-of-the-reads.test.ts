// The tour shows real answers: the test makes its requests on the demo and compares.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyDemo } from '../fixtures/demo-data.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'

const HERE = 'http://127.0.0.1:7662'
const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'tour-of-the-reads.md'), 'utf8')

/** Commands with an address, each with the JSON that the page shows below it. */
const steps = [
  ...page.matchAll(/^```sh\n((?:(?!```)[\s\S])*?)```\n((?:(?!```)[\s\S])*?)```json\n([\s\S]*?)^```$/gm),
].map(([, command, , answer]) => ({ command: command!, shown: JSON.parse(answer!) as unknown }))
const reads = steps.filter(({ command }) => !command.includes('<<'))
const owned = reads.filter(({ command }) => command.includes('$OWNER'))
const granted = reads.filter(({ command }) => command.includes('$AGENT'))

/** These differ at each run. Members that depend on the length of an address do too. */
const VARYING = new Set(['at', 'bytes', 'client_id', 'grant_id', 'receipt_id', 'request_id'])

/** The shown answer as a pattern: the page may leave members out, but shows none that does not come. */
function pattern(shown: unknown, url: string): unknown {
  if (Array.isArray(shown)) return shown.map((item) => pattern(item, url))
  if (typeof shown === 'object' && shown !== null)
    return expect.objectContaining(
      Object.fromEntries(
        Object.entries(shown).map(([name, value]) => [
          name,
          VARYING.has(name) ? expect.anything() : pattern(value, url),
        ]),
      ),
    )
  if (typeof shown !== 'string') return shown
  // A shortened value is the same at each run up to its last `=` or `/`, such as cursor= or /wishes/.
  if (shown.endsWith('…')) return expect.stringContaining(shown.match(/^.*[=/]/)?.[0].replace(HERE, url) ?? '')
  return shown.replace(HERE, url)
}

test('the tour shows the answers that come', async () => {
  expect([granted.length, owned.length]).toEqual([3, 1])
  const dataDir = temporaryDirectory()
  await copyDemo(dataDir)
  const { url } = await startServerProcess({ dataDir })
  const token = (await runPdpp(['owner', 'token'], { dataDir })).stdout.trim()
  const created = page.match(/^\$ \.\/pdpp (owner grant create [\s\S]*?)\nGrant /m)![1]!
  const args = created.match(/"[^"]*"|[^\s\\]+/g)!.map((part) => part.replaceAll('"', ''))
  const { stdout } = await runPdpp(args, { dataDir })
  const agent = stdout.trim().split('\n').at(-1)!
  // The page shortens a token after the reference to its owner.
  const form = /^pdpp_[\w-]{8}_/
  expect([agent, page.match(/^pdpp_.*…$/m)?.[0]]).toEqual([expect.stringMatching(form), expect.stringMatching(form)])

  const answer = async (command: string, bearer: string) => {
    const address = command.match(/"(http[^"]+)"/)![1]!.replace(HERE, url)
    return (await fetch(address, { headers: { authorization: `Bearer ${bearer}` } })).json()
  }
  for (const { command, shown } of granted) expect(await answer(command, agent), command).toEqual(pattern(shown, url))
  for (const { command, shown } of owned) expect(await answer(command, token), command).toEqual(pattern(shown, url))
})
