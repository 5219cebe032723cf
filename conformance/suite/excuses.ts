// The reasons why checks of the suite fail, warn or are skipped. Each entry names one check and the text of its result.
// A check without an entry makes the run fail. So does an entry that is no longer needed.
export interface Excuse {
  readonly run: 'product' | 'fixtures'
  readonly scenario: string
  readonly check: string
  /** The text of the result must match too, so that a new failure of the same check is not excused. */
  readonly says: RegExp
  readonly why: string
}

const NOT_OFFERED =
  'Prompts, completions, logging and subscriptions are optional. The product has none and declares none.'
const ASKS_NOTHING = 'A read-only server asks its client for nothing: no sampling, elicitation, roots or further input.'
const NO_TASKS =
  'Tasks are an extension that is not scored. The product does not offer it, because every call ends at once.'
const NO_SESSIONS = 'There are no sessions. Every request is independent.'
const LISTS_STAY = 'The lists of tools and prompts never change, so there is nothing to notify about.'
const NO_RESOURCES = 'The list of resources is empty, because records are read with tools.'
const NO_HEADERS = 'No argument is mirrored into a header, so there is nothing to validate.'
const NO_DIAGNOSTICS = 'The check needs diagnostic tools that log or ask the client for something. There are none.'
const GUARDED_IN_FRONT = 'The server checks Host and Origin before the transport. See the column of the product.'
const JSON_ONLY =
  'The 2025 revision is answered with one JSON body. Notifications during a call need a stream, and no tool of the product sends any.'
const NOT_SCORED = 'This scenario is pending and not scored. Its tool is not among the fixtures.'
const RESOURCE_OF_THE_SUITE = 'The resource belongs to the suite. The product refuses it, because it does not have it.'
const TOOL_OF_THE_SUITE =
  'The tool belongs to the suite. The product has six other tools and refuses unknown ones, as it should.'

interface Group extends Pick<Excuse, 'run' | 'says' | 'why'> {
  readonly checks: Record<string, readonly string[]>
}

const GROUPS: readonly Group[] = [
  {
    run: 'product',
    why: NOT_OFFERED,
    says: /Method not found$/,
    checks: {
      caching: ['sep-2549-prompts-list-caching-hints'],
      'completion-complete': ['completion-complete'],
      'logging-set-level': ['logging-set-level'],
      'prompts-get-embedded-resource': ['prompts-get-embedded-resource'],
      'prompts-get-simple': ['prompts-get-simple'],
      'prompts-get-with-args': ['prompts-get-with-args'],
      'prompts-get-with-image': ['prompts-get-with-image'],
      'prompts-list': ['prompts-list'],
      'resources-subscribe': ['resources-subscribe'],
      'resources-unsubscribe': ['resources-unsubscribe'],
      'tools-call-with-logging': ['tools-call-with-logging'],
    },
  },
  {
    run: 'product',
    why: NO_RESOURCES,
    says: /^resources\/read was not exercised/,
    checks: {
      caching: ['sep-2549-resources-read-caching-hints'],
    },
  },
  {
    run: 'fixtures',
    why: GUARDED_IN_FRONT,
    says: /^Expected HTTP 4xx for invalid Host/,
    checks: {
      'dns-rebinding-protection': ['localhost-host-rebinding-rejected'],
    },
  },
  {
    run: 'product',
    why: ASKS_NOTHING,
    says: /There is no tool "test_|^JSON-RPC error: Method not found$|^Prerequisite failed: could not get initial InputRequiredResult|^Expected InputRequiredResult|^Server returned JSON-RPC error instead of re-requesting/,
    checks: {
      'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
      'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
      'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
      'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
      'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
      'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
      'input-required-result-ignore-extra-params': ['sep-2322-ignore-unexpected-params'],
      'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
      'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
      'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
      'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
      'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
      'input-required-result-result-type': ['sep-2322-result-type-included'],
      'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
      'tools-call-elicitation': ['tools-call-elicitation'],
      'tools-call-sampling': ['tools-call-sampling'],
    },
  },
  {
    run: 'fixtures',
    why: ASKS_NOTHING,
    says: /^Server did not request (elicitation|sampling) from client|^Prerequisite failed: could not get initial InputRequiredResult|Expected InputRequiredResult|^Expected resultType "input_required", got "complete"$|expected InputRequiredResult with sampling-only|^Server accepted (invalid|null) inputResponses/,
    checks: {
      'elicitation-sep1034-defaults': ['elicitation-sep1034-general'],
      'elicitation-sep1330-enums': ['elicitation-sep1330-general'],
      'input-required-result-basic-elicitation': ['sep-2322-elicitation-incomplete'],
      'input-required-result-basic-list-roots': ['sep-2322-list-roots-incomplete'],
      'input-required-result-basic-sampling': ['sep-2322-sampling-incomplete'],
      'input-required-result-capability-check': ['sep-2322-respect-client-capabilities'],
      'input-required-result-missing-input-response': ['sep-2322-missing-response-rerequests'],
      'input-required-result-multi-round': ['sep-2322-multi-round-r1'],
      'input-required-result-multiple-input-requests': ['sep-2322-multiple-inputs-incomplete'],
      'input-required-result-non-tool-request': ['sep-2322-non-tool-incomplete'],
      'input-required-result-request-state': ['sep-2322-request-state-incomplete'],
      'input-required-result-result-type': ['sep-2322-result-type-included'],
      'input-required-result-tampered-state': ['sep-2322-reject-tampered-state'],
      'input-required-result-validate-input': ['sep-2322-validate-input-responses', 'sep-2322-error-on-protocol-error'],
      'tools-call-elicitation': ['tools-call-elicitation'],
      'tools-call-sampling': ['tools-call-sampling'],
    },
  },
  {
    run: 'product',
    why: NO_HEADERS,
    says: /^Not testable: server exposes no tool with x-mcp-header/,
    checks: {
      'http-custom-header-server-validation': [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
      ],
    },
  },
  {
    run: 'fixtures',
    why: NO_HEADERS,
    says: /^Not testable: server exposes no tool with x-mcp-header/,
    checks: {
      'http-custom-header-server-validation': [
        'sep-2243-server-no-xmcp-tool',
        'sep-2243-server-decode-base64',
        'sep-2243-server-validate-param-match',
        'sep-2243-server-reject-invalid-param-chars',
        'sep-2243-server-reject-param-mismatch',
      ],
    },
  },
  {
    run: 'product',
    why: TOOL_OF_THE_SUITE,
    says: /^Failed: There is no tool "test_|^Tool 'json_schema_2020_12_tool' not found/,
    checks: {
      'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
      'tools-call-audio': ['tools-call-audio'],
      'tools-call-embedded-resource': ['tools-call-embedded-resource'],
      'tools-call-error': ['tools-call-error'],
      'tools-call-image': ['tools-call-image'],
      'tools-call-mixed-content': ['tools-call-mixed-content'],
      'tools-call-simple-text': ['tools-call-simple-text'],
      'tools-call-with-progress': ['tools-call-with-progress'],
    },
  },
  {
    run: 'fixtures',
    why: NOT_SCORED,
    says: /^Tool 'json_schema_2020_12_tool' not found/,
    checks: {
      'json-schema-2020-12': ['json-schema-2020-12-tool-found'],
    },
  },
  {
    run: 'fixtures',
    why: NOT_OFFERED,
    says: /Method not found$/,
    checks: {
      'logging-set-level': ['logging-set-level'],
      'resources-subscribe': ['resources-subscribe'],
      'resources-unsubscribe': ['resources-unsubscribe'],
      'tools-call-with-logging': ['tools-call-with-logging'],
    },
  },
  {
    run: 'product',
    why: RESOURCE_OF_THE_SUITE,
    says: /^Failed: Resource not found: test:\/\//,
    checks: {
      'resources-read-binary': ['resources-read-binary'],
      'resources-read-text': ['resources-read-text'],
      'resources-templates-read': ['resources-templates-read'],
    },
  },
  {
    run: 'product',
    why: NO_SESSIONS,
    says: /^Server provides session ID for/,
    checks: {
      'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
      'server-sse-polling': ['server-sse-polling-session'],
    },
  },
  {
    run: 'fixtures',
    why: NO_SESSIONS,
    says: /^Server provides session ID for/,
    checks: {
      'server-sse-multiple-streams': ['server-sse-multiple-streams-session'],
      'server-sse-polling': ['server-sse-polling-session'],
    },
  },
  {
    run: 'product',
    why: NO_DIAGNOSTICS,
    says: /^Not testable: server does not list the diagnostic tool 'test_(missing_capability|streaming_elicitation|logging_tool)'/,
    checks: {
      'server-stateless': [
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ],
    },
  },
  {
    run: 'product',
    why: LISTS_STAY,
    says: /^List-changed-capable servers notify/,
    checks: {
      'server-stateless': [
        'sep-2575-server-sends-prompts-list-changed-on-subscription',
        'sep-2575-server-sends-tools-list-changed-on-subscription',
      ],
    },
  },
  {
    run: 'fixtures',
    why: NO_DIAGNOSTICS,
    says: /^Not testable: server does not list the diagnostic tool 'test_missing_capability'|^Server executed 'test_missing_capability'/,
    checks: {
      'server-stateless': ['sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400'],
    },
  },
  {
    run: 'fixtures',
    why: LISTS_STAY,
    says: /^List-changed-capable servers notify/,
    checks: {
      'server-stateless': [
        'sep-2575-server-sends-prompts-list-changed-on-subscription',
        'sep-2575-server-sends-tools-list-changed-on-subscription',
      ],
    },
  },
  {
    run: 'product',
    why: NO_TASKS,
    says: /^There is no tool "(greet|slow_compute|failing_job|protocol_error_job|confirm_delete|multi_input|test_tool_with_task)"|^Not testable: no task was created|got -32601|capabilities\.extensions MUST be advertised|^routing-task fixture from Check 2 unavailable|failing_job returned error code -32602|did not create a task|^Skipped: SEP-2663 delivers notifications/,
    checks: {
      'tasks-capability-negotiation': [
        'tasks-extension-advertised',
        'sep-2663-tasks-methods-non-declaring',
        'sep-2663-server-rejects-undeclared-client',
        'tasks-per-request-meta-opt-in',
      ],
      'tasks-dispatch-and-envelope': [
        'tasks-server-directed-creation-no-hint',
        'sep-2663-legacy-task-param-ignored',
        'tasks-immediate-result-shortcut',
        'tasks-result-type-complete-on-non-task-responses',
        'sep-2663-durable-create-strong-consistency',
        'sep-2663-tasks-get-invalid-task-id-32602',
      ],
      'tasks-lifecycle': [
        'tasks-sync-tool-call',
        'sep-2663-result-type-task-on-create',
        'sep-2663-tasks-get-status-working',
        'sep-2663-tasks-get-status-completed',
        'sep-2663-tool-error-uses-completed-status',
        'sep-2663-tasks-get-status-failed',
        'sep-2663-cancel-ack-empty-result',
        'tasks-cancel-terminal-idempotent-ack',
      ],
      'tasks-mrtr-composition': ['sep-2663-mrtr-synchronous-before-task-creation'],
      'tasks-mrtr-input': [
        'sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-tasks-update-resumes',
        'tasks-mrtr-partial-fulfillment',
      ],
      'tasks-request-headers': [
        'tasks-headers-tolerate-mcp-method-on-tools-call',
        'sep-2663-routing-headers-accepted-on-tasks-get',
        'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      ],
      'tasks-request-state-removal': ['tasks-request-state-removal-setup'],
      'tasks-required-task-error': ['sep-2663-server-returns-missing-capability-when-required'],
      'tasks-status-notifications': ['tasks-status-notifications'],
      'tasks-wire-fields': [
        'tasks-wire-field-renames',
        'tasks-no-early-ttl-expiry',
        'tasks-no-related-task-meta-on-inlined-result',
      ],
    },
  },
  {
    run: 'fixtures',
    why: NO_TASKS,
    says: /^Not testable: no task was created|got -32601|capabilities\.extensions MUST be advertised|^routing-task fixture from Check 2 unavailable|(did not|MUST) create a task|got (resultType=)?"complete"|Mcp-Method header$|^no taskId in tools\/call response|failing_job returned a successful response|MUST carry ttlMs|^Skipped: SEP-2663 delivers notifications/,
    checks: {
      'tasks-capability-negotiation': [
        'tasks-extension-advertised',
        'sep-2663-tasks-methods-non-declaring',
        'tasks-per-request-meta-opt-in',
      ],
      'tasks-dispatch-and-envelope': [
        'tasks-server-directed-creation-no-hint',
        'sep-2663-durable-create-strong-consistency',
        'sep-2663-tasks-get-invalid-task-id-32602',
      ],
      'tasks-lifecycle': [
        'sep-2663-result-type-task-on-create',
        'sep-2663-tasks-get-status-working',
        'sep-2663-tasks-get-status-completed',
        'sep-2663-tool-error-uses-completed-status',
        'sep-2663-tasks-get-status-failed',
        'sep-2663-cancel-ack-empty-result',
        'tasks-cancel-terminal-idempotent-ack',
      ],
      'tasks-mrtr-composition': ['sep-2663-mrtr-synchronous-before-task-creation'],
      'tasks-mrtr-input': [
        'sep-2663-tasks-get-status-input-required',
        'tasks-mrtr-tasks-update-resumes',
        'tasks-mrtr-partial-fulfillment',
      ],
      'tasks-request-headers': [
        'tasks-headers-tolerate-mcp-method-on-tools-call',
        'sep-2663-routing-headers-accepted-on-tasks-get',
        'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
      ],
      'tasks-request-state-removal': ['tasks-request-state-removal-setup'],
      'tasks-required-task-error': ['sep-2663-server-returns-missing-capability-when-required'],
      'tasks-status-notifications': ['tasks-status-notifications'],
      'tasks-wire-fields': [
        'tasks-wire-field-renames',
        'tasks-no-early-ttl-expiry',
        'tasks-no-related-task-meta-on-inlined-result',
      ],
    },
  },
  {
    run: 'fixtures',
    why: JSON_ONLY,
    says: /^No progress notifications received$/,
    checks: {
      'tools-call-with-progress': ['tools-call-with-progress'],
    },
  },
]

export const EXCUSES: readonly Excuse[] = GROUPS.flatMap(({ run, says, why, checks }) =>
  Object.entries(checks).flatMap(([scenario, names]) => names.map((check) => ({ run, scenario, check, says, why }))),
)
