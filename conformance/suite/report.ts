import { EXCUSES, type Excuse } from './excuses.ts'
import { type Outcomes, type SuiteCheck, wordsOf } from './outcomes.ts'

export interface NamedRun {
  readonly name: string
  readonly outcomes: Outcomes
}

export interface Report {
  readonly text: string
  /** Checks that failed, warned or were skipped, and have no excuse. */
  readonly unexplained: readonly string[]
  /** Excuses for what no longer happens. */
  readonly unused: readonly string[]
}

/** Everything that needs a reason: it neither passed nor is mere information. */
const isOpen = ({ status }: SuiteCheck): boolean => status !== 'SUCCESS' && status !== 'INFO'

export function report(runs: readonly NamedRun[], authorization: Outcomes): Report {
  const used = new Set<Excuse>()
  const unexplained: string[] = []
  const scenarios = [...new Set(runs.flatMap(({ outcomes }) => [...outcomes.keys()]))].sort()
  const whyOf = (run: string, scenario: string, check: SuiteCheck): string => {
    const excuse = EXCUSES.find((one) => fits(one, run, scenario, check))
    if (excuse) used.add(excuse)
    else unexplained.push(`${run}, ${scenario}, ${check.id} (${check.status}): ${wordsOf(check)}`)
    return excuse?.why ?? '**not explained**'
  }
  const rows = scenarios.map((scenario) => {
    const reasons = runs.flatMap(({ name, outcomes }) =>
      (outcomes.get(scenario) ?? []).filter(isOpen).map((check) => whyOf(name, scenario, check)),
    )
    const cells = runs.map(({ outcomes }) => cell(outcomes.get(scenario)))
    return `| ${[scenario, ...cells, [...new Set(reasons)].join(' ')].join(' | ')} |`
  })
  const asked = [...authorization].map(([scenario, checks]) => {
    const open = checks.filter(isOpen)
    unexplained.push(...open.map((check) => `authorization server, ${scenario}, ${check.id}: ${wordsOf(check)}`))
    return `| ${scenario} | ${cell(checks)} | ${open.map(({ id }) => id).join(' ') || 'none'} |`
  })
  const unused = EXCUSES.filter((excuse) => !used.has(excuse)).map(
    ({ run, scenario, check }) => `${run}, ${scenario}, ${check}`,
  )
  return { unexplained, unused, text: page(runs, rows, asked) }
}

function fits(excuse: Excuse, run: string, scenario: string, check: SuiteCheck): boolean {
  return (
    run.startsWith(excuse.run) &&
    excuse.scenario === scenario &&
    excuse.check === check.id &&
    excuse.says.test(wordsOf(check))
  )
}

/** Passed checks by number, the rest by name; a scenario in which nothing was checked has not passed. */
function cell(checks: readonly SuiteCheck[] | undefined): string {
  if (!checks) return ''
  const count = (status: string) => checks.filter((check) => check.status === status).length
  const [passed, failed, warned, skipped] = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED'].map(count) as number[]
  return [
    passed || failed ? String(passed) : 'nothing checked',
    ...(failed ? [`**${failed} failed**`] : []),
    ...(warned ? [`${warned} ${warned === 1 ? 'warning' : 'warnings'}`] : []),
    ...(skipped ? [`${skipped} skipped`] : []),
  ].join(', ')
}

function page(runs: readonly NamedRun[], rows: readonly string[], asked: readonly string[]): string {
  const head = ['scenario', ...runs.map(({ name }) => name), 'why']
  const totals = runs.map(({ outcomes }) => `${outcomes.size} scenarios: ${cell([...outcomes.values()].flat())}`)
  return `# The official conformance suite

Written by \`npm run conformance\` with \`@modelcontextprotocol/conformance\` 0.2.0-alpha.12. Numbers are checks that passed; an empty cell is a scenario that the
revision does not have, and \`nothing checked\` one that found nothing to check in a server without sessions. What failed, warned or was skipped is excused check by check in
\`excuses.ts\`; anything else makes the run fail, as do a suite that dies and a scenario that is missing. *Product* is \`POST /mcp\` as it is, behind a proxy that adds a token. *Fixtures* is the same transport with the
tools, resources and prompts that most scenarios ask a server to have; they are mounted in this folder alone.

| ${head.join(' | ')} |
| ${head.map(() => '---').join(' | ')} |
${rows.join('\n')}
| **all** | ${totals.join(' | ')} | |

## The authorization server

The suite's two scenarios for authorization servers, which are the same for every revision. Its client registers as any other does, asks for a token
for \`/mcp\`, and the owner allows one source on the consent page. The other scenarios about authorization (\`auth/...\`) test clients.

| scenario | checks passed | open |
| --- | --- | --- |
${asked.join('\n')}
`
}
