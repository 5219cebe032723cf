// The page that connects assistants, `pdpp setup` and the greeting of `pdpp serve` say the same.
import { HOSTED_NAMES, HOSTS, hostedEntry } from '@pdpp/mcp-server/hosts'
import { expect } from 'vitest'
import { Browser } from '../fixtures/browser.ts'
import { runPdpp, startServerProcess, temporaryDirectory } from '../fixtures/processes.ts'
import { verifies } from '../fixtures/verifies.ts'

const PUBLIC = 'https://data.example.org'
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(
      /&(quot|#39|lt|gt|amp);/g,
      (_all, name) => ({ quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' })[name as 'lt'],
    )

verifies(
  '000.1.1',
  'gives each client the same words wherever they are shown',
  async () => {
    const dataDir = temporaryDirectory()
    const server = await startServerProcess({ dataDir })
    const link = /http:\S+(\/owner\/sign-in\/link\/\S+)/.exec(server.output())![1]!
    const visitor = new Browser(server)
    await visitor.submit(link, link)
    const runs = HOSTED_NAMES.map(async (name) => {
      const address = HOSTS[name].reachesLocal ? server.url : PUBLIC
      const { stdout, stderr } = await runPdpp(['setup', name, address, '--json'], { dataDir })
      expect(stderr).toBe('')
      return { name, address, ...JSON.parse(stdout).recommended }
    })
    for (const { name, address, run, file, steps, after } of await Promise.all(runs)) {
      const { text } = await visitor.get(`/agents/connect?client=${name}`)
      const card = text.split(`id="${name}">`)[1]!.split('<div class="waiting"')[0]!
      const here = (words: string) => words.replaceAll(address, server.url)
      const copied = /<pre id="copy-[^"]+">(.*?)<\/pre>/s.exec(card)
      expect([name, copied && plain(copied[1]!)]).toEqual([name, run ?? file?.text ?? null])
      expect([name, [...card.matchAll(/<li>(.*?)<\/li>/g)].map(([, step]) => plain(step!))]).toEqual([
        name,
        steps.map(here),
      ])
      expect(plain(card)).toContain(after)
      // The command that writes the settings comes before the text to copy.
      if (run === null && file) expect(plain(card)).toContain(`setup ${name} ${server.url} --write`)
      if (run !== null) expect(server.output()).toContain(`  ${run}\n`)
    }
    expect(HOSTS['claude-desktop'].steps?.('pdpp', hostedEntry(PUBLIC))).toEqual(
      HOSTS.claude.steps?.('pdpp', hostedEntry(PUBLIC)),
    )
  },
  60_000,
)
