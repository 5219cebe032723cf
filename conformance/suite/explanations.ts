// Why a check fails, where it does. A failure that matches nothing here makes the run fail.
interface Explanation {
  readonly run: RegExp
  readonly scenario: RegExp
  readonly failure: RegExp
  readonly why: string
}

const NOT_OFFERED =
  'Prompts, completions, logging and subscriptions are optional; the product has none and declares none.'
const ASKS_NOTHING = 'A read-only server asks its client for nothing: no sampling, elicitation, roots or further input.'
const NO_TASKS = 'Tasks are an extension that is neither scored nor offered: every call here ends at once.'
const JSON_ONLY =
  'The legacy leg answers with one JSON body; notifications during a call need a stream, and no tool of the product sends any.'

/** The first that fits. Failures are matched by what they say, so that a new one is not taken for an old one. */
const EXPLANATIONS: readonly Explanation[] = [
  { run: /./, scenario: /^tasks-/, failure: /./, why: NO_TASKS },
  {
    run: /^product/,
    scenario: /^(tools-call-(?!with-logging|sampling|elicitation)|json-schema-2020-12$)/,
    failure: /There is no tool "test_|Tool 'json_schema_2020_12_tool' not found/,
    why: 'The tool is one of the suite; the product lists six others. The refusal is the right one for a tool that is not there.',
  },
  {
    run: /^product/,
    scenario: /^resources-(read|templates)/,
    failure: /Resource not found: test:\/\//,
    why: 'The resource is one of the suite; what is not there is refused as it should be.',
  },
  {
    run: /^product/,
    scenario: /^(prompts-|completion-|logging-|resources-(un)?subscribe|tools-call-with-logging)/,
    failure: /Method not found/,
    why: NOT_OFFERED,
  },
  {
    run: /^product/,
    scenario: /^caching$/,
    failure: /^sep-2549-prompts-list-caching-hints: .*Method not found/,
    why: NOT_OFFERED,
  },
  {
    run: /^fixtures/,
    scenario: /^(logging-|resources-(un)?subscribe|tools-call-with-logging)/,
    failure: /Method not found/,
    why: NOT_OFFERED,
  },
  {
    run: /./,
    scenario: /^(elicitation-|tools-call-(sampling|elicitation)$)/,
    failure: /There is no tool "test_|did not request/,
    why: ASKS_NOTHING,
  },
  {
    run: /./,
    scenario: /^input-required-result-/,
    failure: /InputRequiredResult|There is no tool "test_|Method not found|resultType/,
    why: ASKS_NOTHING,
  },
  {
    run: /./,
    scenario: /^http-custom-header-server-validation$/,
    failure: /^sep-2243-.*Not testable: server exposes no tool with x-mcp-header/,
    why: 'No argument is mirrored into a header, so that there is nothing to validate.',
  },
  {
    run: /./,
    scenario: /^server-stateless$/,
    failure:
      /diagnostic tool 'test_(missing_capability|streaming_elicitation|logging_tool)'|executed 'test_missing_capability'/,
    why: 'Needs diagnostic tools that ask the client for something or log; there are none.',
  },
  {
    run: /^fixtures 2025/,
    scenario: /^tools-call-with-progress$/,
    failure: /No progress notifications received/,
    why: JSON_ONLY,
  },
  {
    run: /^fixtures/,
    scenario: /^json-schema-2020-12$/,
    failure: /Tool 'json_schema_2020_12_tool' not found/,
    why: 'A pending scenario that is not scored; its tool is not mounted.',
  },
  {
    run: /^fixtures/,
    scenario: /^dns-rebinding-protection$/,
    failure: /Expected HTTP 4xx for invalid Host/,
    why: 'Host and Origin are checked by the server in front of the transport: see the product.',
  },
]

export function reasonFor(run: string, scenario: string, failure: string): string | undefined {
  return EXPLANATIONS.find((one) => one.run.test(run) && one.scenario.test(scenario) && one.failure.test(failure))?.why
}
