import { EXCUSES, type Excuse } from './excuses.ts'
import { type Outcomes, type SuiteCheck, wordsOf } from './outcomes.ts'

export interface NamedRun {
  readonly name: string
  readonly outcomes: Outcomes
}

export interface Report {
  readonly text: string
  /** Checks that failed, warned or were skipped and have no entry in excuses.ts. */
  readonly unexplained: readonly string[]
  /** Entries of excuses.ts that are no longer needed. */
  readonly unused: readonly string[]
}

/** True if a check needs a reason, because it neither passed nor is only information. */
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
  const authorizationRows = [...authorization].map(([scenario, checks]) => {
    const open = checks.filter(isOpen)
    unexplained.push(...open.map((check) => `authorization server, ${scenario}, ${check.id}: ${wordsOf(check)}`))
    return `| ${scenario} | ${cell(checks)} | ${open.map(({ id }) => id).join(' ') || 'none'} |`
  })
  const unused = EXCUSES.filter((excuse) => !used.has(excuse)).map(
    ({ run, scenario, check }) => `${run}, ${scenario}, ${check}`,
  )
  return { unexplained, unused, text: page(runs, rows, authorizationRows) }
}

function fits(excuse: Excuse, run: string, scenario: string, check: SuiteCheck): boolean {
  return (
    run.startsWith(excuse.run) &&
    excuse.scenario === scenario &&
    excuse.check === check.id &&
    excuse.says.test(wordsOf(check))
  )
}

/** The number of checks by their status. A scenario in which nothing was checked has not passed. */
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

function page(runs: readonly NamedRun[], rows: readonly string[], authorizationRows: readonly string[]): string {
  const head = ['scenario', ...runs.map(({ name }) => name), 'why']
  const totals = runs.map(({ outcomes }) => `${outcomes.size} scenarios: ${cell([...outcomes.values()].flat())}`)
  return `# The official conformance suite

Written by \`npm run conformance\` with \`@modelcontextprotocol/conformance\` 0.2.0-alpha.12. Numbers are checks that passed. A cell is empty if the
revision does not have the scenario. \`nothing checked\` means that a scenario found nothing to check in a server without sessions. Every check that failed, warned or was
skipped has its reason in \`excuses.ts\`. Without a reason the run fails. It also fails if the suite crashes or a scenario is missing. *Product* is \`POST /mcp\` itself, behind
a proxy that adds a token. *Fixtures* is the same transport with the tools, resources and prompts that most scenarios expect of a server. Only this folder has them.

| ${head.join(' | ')} |
| ${head.map(() => '---').join(' | ')} |
${rows.join('\n')}
| **all** | ${totals.join(' | ')} | |

## The authorization server

The suite has two scenarios for authorization servers, which are the same for every revision. Its client registers like any other and requests a token
for \`/mcp\`. The owner allows one source on the consent page. The other scenarios about authorization (\`auth/...\`) test clients.

| scenario | checks passed | open |
| --- | --- | --- |
${authorizationRows.join('\n')}
`
}
