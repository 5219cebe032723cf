import {
  annotations,
  connection_id,
  data,
  filter,
  input,
  limit,
  oneOf,
  order,
  text,
  texts,
} from '../../calling/definition-parts.ts'

export const AGGREGATE = {
  name: 'aggregate',
  title: 'Count personal records',
  description:
    'How many, how much: counts and sums over all records, also by group or time (names: schema). other_count above 0 means that there are more groups than shown. Read-only, GET /v1/streams/{stream}/aggregate.',
  inputSchema: input(
    {
      stream: text,
      metric: oneOf('count', 'sum', 'min', 'max', 'avg', 'count_distinct'),
      field: text,
      group_by: { ...texts, maxItems: 2 },
      group_by_time: text,
      granularity: oneOf('minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'),
      time_zone: text,
      order,
      limit,
      filter,
      connection_id,
    },
    'stream',
    'metric',
  ),
  outputSchema: data,
  annotations,
} as const
