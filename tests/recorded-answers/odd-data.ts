// A small source with data that the demo lacks: bytes in a field, hidden characters, awkward keys, wide records.

const text = { type: 'string' } as const
const day = (n: number) => `2026-01-${String(n + 1).padStart(2, '0')}`
const wideFields = Array.from({ length: 70 }, (_, n) => `column_${n}`)

export const oddDeclaration = {
  source: { kind: 'connector', id: 'https://tests.example/odd' },
  connector_key: 'odd',
  declaration_version: '1',
  display: { name: 'Odd things' },
  streams: [
    {
      name: 'papers',
      semantics: 'mutable_state',
      schema: {
        type: 'object',
        properties: {
          id: text,
          title: { ...text, x_pdpp_role: 'primary-title' },
          text,
          author: { ...text, x_pdpp_type: 'person', x_pdpp_role: 'actor' },
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          seen: { type: 'integer', x_pdpp_time_unit: 'epoch_seconds' },
          price: { type: 'integer', x_pdpp_type: 'currency', x_pdpp_role: 'amount', x_pdpp_unit: 'cents' },
          currency: text,
          ratio: { type: 'number' },
          large: { type: 'integer' },
          photo: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
          kept: { type: 'boolean' },
          nested: { type: 'object' },
        },
        required: ['id'],
      },
      primary_key: ['id'],
      cursor_field: 'at',
      consent_time_field: 'at',
      relationships: [{ name: 'sheets', stream: 'sheets', foreign_key: 'paper', cardinality: 'has_many' }],
      query: {
        range_filters: { day: ['gte', 'lt'], seen: ['gte', 'lt'], ratio: ['gte', 'lte'], large: ['gte', 'lte'] },
        search: { lexical_fields: ['title', 'text', 'author'] },
        aggregations: {
          group_by: ['author', 'kept', 'currency'],
          group_by_time: ['at', 'day', 'seen'],
          sum: ['price', 'ratio'],
          min: ['day', 'seen'],
        },
        expand: [{ name: 'sheets', default_limit: 2, max_limit: 5 }],
      },
    },
    {
      name: 'sheets',
      semantics: 'append_only',
      schema: {
        type: 'object',
        properties: { id: text, paper: text, ...Object.fromEntries(wideFields.map((name) => [name, text])) },
        required: ['id'],
      },
      primary_key: ['id'],
    },
  ],
}

const keys = ['plain', 'two\nlines', ' a | column ', 'zero\u200bwidth', 'https://x.example/a/b?c=%20#d', 'a · part']
const papers = keys.map((id, n) => ({
  id,
  title: ['Lantern', 'Lan\u202etern', 'Lantern | oil', 'Lantern 👩🏽‍🚀', '[Lantern](https://x.example)', ' '][n]!,
  text: `A lantern, number ${n}.\n<mark>Bright</mark> \u2066and\u2069 \u200bsmall. ${'Glow. '.repeat(n === 0 ? 400 : 1)}`,
  author: n % 2 ? 'Ines Probe' : 'Tomas\u202e Probe',
  at: `${day(n)}T08:00:00Z`,
  day: day(n),
  seen: 1_767_225_600 + n * 86_400,
  price: n * 100,
  currency: n % 2 ? 'EUR' : 'SEK',
  ratio: n / 3,
  photo: 'iVBORw0KGgoAAAANSUhEUg'.repeat(n === 1 ? 200 : 1),
  kept: n % 2 === 0,
  nested: { zeta: 'z'.repeat(n === 2 ? 700 : 3), alpha: { b: 2, a: 1 } },
}))
const sheets = [0, 1, 2].map((n) => ({
  id: `sheet-${n}`,
  paper: 'plain',
  ...Object.fromEntries(wideFields.map((name, at) => [name, n === 0 ? `${at} `.repeat(150) : `cell ${at}`])),
}))

const line = (data: { id: string }, large = '') => {
  const json = JSON.stringify({ key: data.id, data, emitted_at: '2026-02-01T00:00:00Z' })
  // More digits than a double has.
  return large === '' ? json : json.replace('"ratio"', `"large":${large},"ratio"`)
}

/** The NDJSON lines that are ingested, by stream. */
export const oddLines = {
  papers: papers.map((paper, n) => line(paper, `900719925474099${n}13`)).join('\n'),
  sheets: sheets.map((sheet) => line(sheet)).join('\n'),
}
