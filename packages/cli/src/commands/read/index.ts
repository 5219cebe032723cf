import type { Command } from 'commander'
import { alsoAs, collect, wholeNumber, withReadOptions, withSourceOptions } from './options.ts'

const WORDS = '[words...]'
const WHERE = "a condition, in quotes: 'sent_at>=2026-01-01', 'author=Mira Tallow' (repeatable; all must hold)"

/** `pdpp read …`: the reads of `/v1`. A first word that begins with http(s):// is the server. */
export function addReadCommands(program: Command): void {
  const read = program.command('read').summary('read what you were granted').description(READ)
  addOverviews(read)
  addRecords(read)
  addSingles(read)
  addSearch(read)
  addAggregate(read)
}

const READ = `Reads what a grant allows. A first argument that begins with http:// or https:// names the server; without one it is PDPP_PROVIDER_URL, or the only server that you are connected to.`

function addOverviews(read: Command): void {
  const schema = withReadOptions(
    withSourceOptions(
      read
        .command('schema')
        .argument(WORDS)
        .usage('[provider-url] [stream] [options]')
        .summary('what there is to read, and what its fields can do')
        .description(
          'Shows sources, connections and streams. With a stream: its fields and what each can be used for. With --json the compact form; --full adds the JSON Schemas.',
        )
        .option('--full', 'everything, with JSON Schemas (implies --json)'),
    ),
  ).action(async (words, options) => (await import('./schema.ts')).readSchema(words, options))
  alsoAs(schema, '--stream <name>', 'stream')
  alsoAs(schema, '--view <view>', 'view')

  withReadOptions(
    withSourceOptions(
      read
        .command('streams')
        .argument(WORDS)
        .usage('[provider-url] [options]')
        .summary('the streams of each connection, with their counts')
        .description(
          'Lists every stream of every connection in reach, with its number of records and when it last changed.',
        ),
    ),
  ).action(async (words, options) => (await import('./streams.ts')).readStreams(words, options))
}

function addRecords(read: Command): void {
  const records = withReadOptions(
    withSourceOptions(
      read
        .command('records')
        .alias('query-records')
        .argument(WORDS)
        .usage('[provider-url] <stream> [options]')
        .summary('list records of a stream')
        .description('Lists records, the newest first. One page, unless --all walks on to the end.')
        .option('--where <condition>', WHERE, collect)
        .option('--fields <a,b>', 'only these fields')
        .option('--view <name>', 'a set of fields that the source names')
        .option('--sort <field>', 'sort by a field; -field for the largest or newest first')
        .option('--order <order>', 'asc or desc, of the default sort')
        .option('--limit <number>', 'rows on a page, 1 to 100', wholeNumber)
        .option('--cursor <cursor>', 'continue after an earlier page')
        .option('--all', 'walk on to the last page')
        .option('--count <kind>', 'also count: exact, estimated or none')
        .option('--expand <relation>', 'show related records too (repeatable)', collect)
        .option('--expand-limit <relation=number>', 'how many of a relation (repeatable)', collect)
        .option('--around <record>', 'the records before and after this one')
        .option('--changes-since <position>', 'what changed since: beginning, or the next_changes_since of a walk')
        .option(
          '--since-last',
          'what changed since this command last ran so; the position is kept per server, grant, stream and connection',
        )
        .option('--restart', 'with --since-last: start from the beginning')
        .option('--follow', 'stay, and show changes as they come, from now on or from the position of --since-last')
        .option('--max-bytes <number>', 'size of a page at most', wholeNumber),
    ),
  ).action(async (words, options) => (await import('./records.ts')).readRecords(words, options))
  alsoAs(records, '--filter-json <json>', 'filterJson')
  alsoAs(records, '--filter <json>', 'filterJson')
}

function addSingles(read: Command): void {
  withReadOptions(
    withSourceOptions(
      read
        .command('record')
        .alias('fetch')
        .argument(WORDS)
        .usage('[provider-url] <id> | <stream> <record-key> [options]')
        .summary('show one record')
        .description(
          'Shows one record, in a pager where it is long. The id is what `pdpp read search` shows: connection/stream:key.',
        )
        .option('--fields <a,b>', 'only these fields')
        .option('--view <name>', 'a set of fields that the source names')
        .option('--expand <relation>', 'show related records too (repeatable)', collect)
        .option('--expand-limit <relation=number>', 'how many of a relation (repeatable)', collect)
        .option('--max-bytes <number>', 'size of the answer at most; larger fields are described', wholeNumber)
        .option('--no-pager', 'print it plainly'),
    ),
  ).action(async (words, options) => (await import('./record.ts')).readRecord(words, options))

  const field = withReadOptions(
    withSourceOptions(
      read
        .command('field')
        .alias('field-window')
        .argument(WORDS)
        .usage('[provider-url] <id> <field> | <stream> <record-key> <field> [options]')
        .summary('read the text of one field, in part or whole')
        .description(
          'Reads a field. On a terminal it pages on to the end like a reader; in a pipe it prints one part, exactly as it is, and says on standard error how to continue.',
        )
        .option('--offset <chars>', 'start here', wholeNumber)
        .option('--limit <chars>', 'how much at once, 1 to 16384', wholeNumber)
        .option('--find <text>', 'start around the first place where this occurs')
        .option('--before <chars>', 'with --find: how much before it', wholeNumber)
        .option('--after <chars>', 'with --find: how much after it', wholeNumber)
        .option('--all', 'to the end, also in a pipe')
        .option('--no-pager', 'print it plainly, one part'),
    ),
  ).action(async (words, options) => (await import('./field.ts')).readField(words, options))
  alsoAs(field, '--field <name>', 'field')
  alsoAs(field, '--q <text>', 'find')
  alsoAs(field, '--offset-chars <chars>', 'offset')
  alsoAs(field, '--limit-chars <chars>', 'limit')
  alsoAs(field, '--before-chars <chars>', 'before')
  alsoAs(field, '--after-chars <chars>', 'after')
  alsoAs(field, '--cursor <cursor>', 'ignored')

  withReadOptions(
    read
      .command('blob')
      .argument(WORDS)
      .usage('[provider-url] <blob-id> [options]')
      .summary('save a file that a record refers to')
      .description(
        'Saves the bytes behind a blob_ref. Without --output they go to standard output, unless that is a terminal. A download that broke off goes on where it ended when the command is run again. With --json only what it is.',
      )
      .option('--output <file>', 'where to save it; an existing file is not replaced')
      .option('--connection <id>', 'only this connection'),
  ).action(async (words, options) => (await import('./blob.ts')).readBlob(words, options))
}

function addSearch(read: Command): void {
  const search = withReadOptions(
    read
      .command('search')
      .argument(WORDS)
      .usage('[provider-url] <words...> [options]')
      .summary('find records by their words')
      .description(
        'Finds records by their words, in everything that was granted. Under each hit stands the command that opens the text around it. "poppy seed" in quotes must be side by side, -carrot must not be there, author:tomasz is searched in one field; put what begins with a minus after --.',
      )
      .option('--stream <name>', 'only this stream (repeatable)', collect)
      .option('--connection <id>', 'only this connection')
      .option('--where <condition>', WHERE, collect)
      .option('--since <time>', 'only records from this time on')
      .option('--until <time>', 'only records before this time')
      .option('--limit <number>', 'hits on a page, 1 to 100 (default: 10)', wholeNumber)
      .option('--cursor <cursor>', 'continue after an earlier page')
      .option('--all', 'walk on to the last page')
      .option('--count <kind>', 'also count: exact, estimated or none')
      .option('--mode <mode>', 'lexical; other servers may have semantic or hybrid')
      .option('--max-bytes <number>', 'size of a page at most', wholeNumber),
  ).action(async (words, options) => (await import('./search.ts')).readSearch(words, options))
  alsoAs(search, '--connection-id <id>', 'connection')
  alsoAs(search, '--streams <a,b>', 'streams')
}

function addAggregate(read: Command): void {
  withReadOptions(
    withSourceOptions(
      read
        .command('aggregate')
        .argument(WORDS)
        .usage('[provider-url] <stream> [options]')
        .summary('count and sum without reading the records')
        .description('Counts and sums over all records in reach. Groups are drawn as bars on a terminal.')
        .option('--metric <metric>', 'count, sum, min, max, avg or count_distinct', 'count')
        .option('--field <name>', 'what to compute on; needed except for count')
        .option('--group-by <field>', 'one or two fields (repeatable)', collect)
        .option('--group-by-time <field>', 'a time field')
        .option('--granularity <unit>', 'minute, hour, day, week, month, quarter or year (default: month)')
        .option('--time-zone <name>', 'whose calendar, such as Europe/Berlin (default: UTC)')
        .option(
          '--order <order>',
          "asc or desc: which time groups come first, and which are left out beyond the limit (default: the server's choice, printed in order of time)",
        )
        .option('--where <condition>', WHERE, collect)
        .option('--limit <number>', 'groups at most, 1 to 100', wholeNumber),
    ),
  ).action(async (words, options) => (await import('./aggregate.ts')).readAggregate(words, options))
}
