/**
 * Questions about the demo owner, and the calls that answer them. Arguments are fixed, or taken from earlier texts, so
 * a model that sees only text could make every call.
 */
interface Step {
  readonly tool: string
  readonly args: object | ((texts: readonly string[]) => object)
  /** Max. bytes of the text. */
  readonly bytes: number
}

export interface Task {
  readonly question: string
  readonly steps: readonly Step[]
  /** The text of the last step must contain this. */
  readonly answer: readonly (string | RegExp)[]
}

/** The first hit of a search, or the first row, that matches. */
const found = (pattern: RegExp, text: string | undefined): string => {
  const match = pattern.exec(text ?? '')
  if (!match) throw new Error(`Nothing looks like ${pattern} in:\n${text}`)
  return match[0]
}

const INDEX: Step = { tool: 'schema', args: {}, bytes: 800 }

export const TASKS: readonly Task[] = [
  {
    question: 'How much was spent on groceries in March?',
    steps: [
      INDEX,
      { tool: 'schema', args: { stream: 'orders' }, bytes: 2_000 },
      {
        tool: 'aggregate',
        args: {
          stream: 'orders',
          connection_id: 'purchases',
          metric: 'sum',
          field: 'total_cents',
          filter: { category: 'groceries', ordered_at: { gte: '2026-03-01', lt: '2026-04-01' } },
        },
        bytes: 400,
      },
    ],
    answer: [
      'sum of total_cents (orders) = 25590 cents EUR. Over 9 records.',
      'category = groceries, ordered_at >= 2026-03-01T00:00:00Z, ordered_at < 2026-04-01T00:00:00Z',
      'midnight in UTC',
    ],
  },
  {
    question: 'Who said the lens pedestal was too heavy?',
    steps: [{ tool: 'search', args: { query: 'Who said the lens pedestal was too heavy?' }, bytes: 3_300 }],
    // No record answers this. The text says how rare each word is, and shows ten hits with names, weekdays and dates.
    answer: [
      /heavy 18\b/,
      /^1\. mail-work\/messages:\w+ · Wed 2026-02-11 08:31Z · Desmond Saltpeter · [^\n]*\n {3}body: [^\n]*leaks a little in heavy rain/m,
      /^10\. [\w-]+\/\w+:\w+ · (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) 20\d\d-/m,
    ],
  },
  {
    question: 'What changed in the Wickwatch firmware since 2026-10-01?',
    steps: [
      {
        tool: 'search',
        args: { query: 'What changed in the Wickwatch firmware since 2026-10-01?', since: '2026-10-01' },
        bytes: 4_200,
      },
    ],
    // The date is not a word: a stolen bicycle has nothing to do with it.
    answer: [
      /^(?![\s\S]*Diebstahl)[\s\S]*Wickwatch/,
      /Records with each word as written: changed \d+, wickwatch \d+, firmware \d+(?:, since \d+)?\./,
      /^(?![\s\S]* · \w{3} 2026-0)/,
    ],
  },
  {
    question: 'What is the phone number of Desmond Saltpeter?',
    steps: [
      { tool: 'search', args: { query: 'Phone number of Desmond Saltpeter' }, bytes: 3_600 },
      { tool: 'fetch', args: ([hits]) => ({ id: found(/contacts\/contacts:ct_\w+/, hits) }), bytes: 700 },
    ],
    // There is none, and the contact says so.
    answer: ['Desmond Saltpeter', 'desmond-saltpeter@the-hag.example', /phones: \[\]/],
  },
  {
    question: 'Wann fährt die Fähre nach Hamburg?',
    steps: [{ tool: 'search', args: { query: 'Wann fährt die Fähre nach Hamburg?' }, bytes: 4_200 }],
    answer: [
      /^1\. mail-personal\/messages:[^\n]*"Fähre: neuer Fahrplan"\n {3}body: [^\n]*die Fähre fährt ab dem/m,
      'hamburg 55',
    ],
  },
  {
    question: 'Find the invoice 1687 and read its attachment.',
    steps: [
      { tool: 'search', args: { query: 'invoice 1687 Mewstone Outer', limit: 5 }, bytes: 2_000 },
      {
        tool: 'fetch',
        args: ([hits]) => ({ id: found(/mail-work\/attachments:att_\w+/, hits) }),
        bytes: 1_300,
      },
    ],
    answer: ['Invoice 1687', 'Mewstone Outer', '7937.95 euros', 'application/pdf', 'pdpp read blob'],
  },
  {
    question: 'When was the last dentist appointment?',
    steps: [{ tool: 'search', args: { query: 'dentist appointment', streams: ['events'], limit: 3 }, bytes: 1_000 }],
    answer: [/1\. calendar\/events:[^\n]*2026-08-20 17:00\+02:00/, /dentist/i, 'Dr. Beisswenger-Bloom'],
  },
  {
    question: 'Which artist was played most in summer?',
    steps: [
      INDEX,
      { tool: 'schema', args: { stream: 'plays' }, bytes: 2_100 },
      {
        tool: 'aggregate',
        args: {
          stream: 'plays',
          connection_id: 'music',
          metric: 'count',
          group_by: 'artist',
          filter: { played_at: { gte: '2026-06-01', lt: '2026-09-01' } },
          limit: 3,
        },
        bytes: 500,
      },
    ],
    answer: [/^[^\n]*artist[^\n]*\n(?:[^\n]*\n)*?Nachtfähre: 83\nKettle & Moth: 78/, '1,107 records'],
  },
  {
    question: 'Which notes changed in the last week?',
    steps: [
      INDEX,
      { tool: 'schema', args: { stream: 'notes' }, bytes: 1_600 },
      {
        tool: 'query_records',
        args: {
          stream: 'notes',
          connection_id: 'notes',
          fields: ['title', 'updated_at'],
          filter: { updated_at: { gte: '2026-10-25' } },
          sort: '-updated_at',
        },
        bytes: 1_100,
      },
    ],
    answer: ['10 records', 'Running log', 'The firmware sync, 27 October', 'Tuesday, 27 October'],
  },
  {
    question: 'What was said around the message "The lens pedestal."?',
    steps: [
      {
        tool: 'search',
        args: { query: '"the lens pedestal"', connection_id: 'chat', streams: ['messages'], limit: 7 },
        bytes: 2_000,
      },
      {
        tool: 'query_records',
        args: ([hits]) => ({
          stream: 'messages',
          around: found(/chat\/messages:\w+(?=[^\n]*2026-08-17)/, hits),
          limit: 5,
          fields: ['author', 'sent_at', 'text'],
        }),
        bytes: 1_300,
      },
    ],
    answer: ['Torture test on unit WW-1009', 'Which part gave up?', 'The lens pedestal.'],
  },
  {
    question: 'How did spending go over the year?',
    steps: [
      {
        tool: 'aggregate',
        args: {
          stream: 'orders',
          connection_id: 'purchases',
          metric: 'sum',
          field: 'total_cents',
          group_by_time: 'ordered_at',
          time_zone: 'Europe/Berlin',
          order: 'asc',
        },
        bytes: 900,
      },
    ],
    answer: ['in cents EUR', 'per month (chosen for', 'in Europe/Berlin: 12 of 12 groups. other_count=0: all.'],
  },
  {
    question: 'Which notes change from now on?',
    steps: [
      {
        tool: 'query_records',
        args: { stream: 'notes', connection_id: 'notes', changes_since: 'now' },
        bytes: 150,
      },
    ],
    answer: [/^notes: 0 records\. next_changes_since=\S+$/],
  },
  {
    question: 'What did the last orders hold, line by line?',
    steps: [
      {
        tool: 'query_records',
        args: { stream: 'orders', connection_id: 'purchases', limit: 2, expand: ['items'], sort: '-ordered_at' },
        bytes: 2_000,
      },
    ],
    answer: [/line=1 [\s\S]*line=2 [\s\S]*line=1 [\s\S]*line=2 [\s\S]*line=3 /],
  },
]
