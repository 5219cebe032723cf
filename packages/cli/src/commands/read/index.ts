import type { Command } from 'commander'
import { alsoAs, collect, wholeNumber, withReadOptions, withSourceOptions } from './options.ts'

const WORDS = '[words...]'
const WHERE = "a condition in quotes: 'sent_at>=2026-01-01', 'author=Mira Tallow' (repeatable; all must hold)"

/** `pdpp read …`: reads of `/v1`. If the first word begins with http(s)://, it names the server. */
export function addReadCommands(program: Command): void {
  const read = program.command('read').summary('read what you were granted').description(READ)
  addOverviews(read)
  addRecords(read)
  addSingles(read)
  addSearch(read)
  addAggregate(read)
}

const READ = `Reads what your grant allows. If the first argument begins with http:// or https://, it names the server. Otherwise the server is PDPP_PROVIDER_URL, or the only one you are connected to.`

function addOverviews(read: Command): void {
  const schema = withReadOptions(
    withSourceOptions(
      read
        .command('schema')
        .argument(WORDS)
        .usage('[provider-url] [stream] [options]')
        .summary('show what you can read and how to use each field')
        .description(
          'Shows sources, connections and streams. With a stream, shows its fields and how to use each. --json prints the compact form, and --full adds the JSON Schemas.',
        )
        .option('--full', 'print everything, with JSON Schemas (implies --json)'),
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
        .summary('list the streams of each connection, with record counts')
        .description('Lists every stream that you can read, with its number of records and its last change.'),
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
        .description('Lists records, newest first. Prints one page, or all pages with --all.')
        .option('--where <condition>', WHERE, collect)
        .option('--fields <a,b>', 'only these fields')
        .option('--view <name>', 'a set of fields that the source defines')
        .option('--sort <field>', 'sort by a field; -field sorts descending')
        .option('--order <order>', 'asc or desc, for the default sort')
        .option('--limit <number>', 'rows per page, 1 to 100', wholeNumber)
        .option('--cursor <cursor>', 'continue after an earlier page')
        .option('--all', 'continue to the last page')
        .option('--count <kind>', 'also count: exact, estimated or none')
        .option('--expand <relation>', 'show related records too (repeatable)', collect)
        .option('--expand-limit <relation=number>', 'max. records of a relation (repeatable)', collect)
        .option('--around <record>', 'show the records before and after this one')
        .option(
          '--changes-since <position>',
          'show changes since a position: beginning, or an earlier next_changes_since',
        )
        .option(
          '--since-last',
          'show changes since the last run with this flag; the position is saved per server, grant, stream and connection',
        )
        .option('--restart', 'with --since-last: start from the beginning')
        .option(
          '--follow',
          'keep running, and show changes as they come: from now on, or from the position of --since-last',
        )
        .option('--max-bytes <number>', 'max. size of a page, in bytes', wholeNumber),
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
          'Shows one record, in a pager if it is long. `pdpp read search` shows the id: connection/stream:key.',
        )
        .option('--fields <a,b>', 'only these fields')
        .option('--view <name>', 'a set of fields that the source defines')
        .option('--expand <relation>', 'show related records too (repeatable)', collect)
        .option('--expand-limit <relation=number>', 'max. records of a relation (repeatable)', collect)
        .option('--max-bytes <number>', 'max. size of the answer; larger fields are described', wholeNumber)
        .option('--no-pager', 'do not use a pager'),
    ),
  ).action(async (words, options) => (await import('./record.ts')).readRecord(words, options))

  const field = withReadOptions(
    withSourceOptions(
      read
        .command('field')
        .alias('field-window')
        .argument(WORDS)
        .usage('[provider-url] <id> <field> | <stream> <record-key> <field> [options]')
        .summary('read the text of one field, in parts or whole')
        .description(
          'Reads a field. On a terminal, a pager shows the whole text. In a pipe, it prints one part unchanged, and standard error says how to continue.',
        )
        .option('--offset <chars>', 'start at this character', wholeNumber)
        .option('--limit <chars>', 'characters per part, 1 to 16384', wholeNumber)
        .option('--find <text>', 'start near the first place where this text occurs')
        .option('--before <chars>', 'with --find: characters before it', wholeNumber)
        .option('--after <chars>', 'with --find: characters after it', wholeNumber)
        .option('--all', 'read to the end, also in a pipe')
        .option('--no-pager', 'do not use a pager; print one part'),
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
        'Saves the file behind a blob_ref. Without --output it goes to standard output, unless that is a terminal. To continue an interrupted download, run the command again. --json prints only its type and size.',
      )
      .option('--output <file>', 'the file to write; an existing file is not replaced')
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
        'Finds records by their words, in everything you were granted. Below each hit is the command that shows the text around it. "poppy seed" finds the two words next to each other, -carrot excludes a word, and author:tomasz searches one field. Put words that begin with a minus after --.',
      )
      .option('--stream <name>', 'only this stream (repeatable)', collect)
      .option('--connection <id>', 'only this connection')
      .option('--where <condition>', WHERE, collect)
      .option('--since <time>', 'only records from this time on')
      .option('--until <time>', 'only records before this time')
      .option('--limit <number>', 'hits per page, 1 to 100 (default: 10)', wholeNumber)
      .option('--cursor <cursor>', 'continue after an earlier page')
      .option('--all', 'continue to the last page')
      .option('--count <kind>', 'also count: exact, estimated or none')
      .option('--mode <mode>', 'lexical; other servers may have semantic or hybrid')
      .option('--max-bytes <number>', 'max. size of a page, in bytes', wholeNumber),
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
        .summary('count and sum without reading records')
        .description('Counts and sums all records that you can read. A terminal shows groups as bars.')
        .option('--metric <metric>', 'count, sum, min, max, avg or count_distinct', 'count')
        .option('--field <name>', 'the field to compute with; not needed for count')
        .option('--group-by <field>', 'one or two fields (repeatable)', collect)
        .option('--group-by-time <field>', 'a time field')
        .option('--granularity <unit>', 'minute, hour, day, week, month, quarter or year (default: month)')
        .option('--time-zone <name>', 'the time zone of the groups, such as Europe/Berlin (default: UTC)')
        .option(
          '--order <order>',
          "asc or desc: which time groups the limit keeps, and their order (default: the server's choice, printed by time)",
        )
        .option('--where <condition>', WHERE, collect)
        .option('--limit <number>', 'max. groups, 1 to 100', wholeNumber),
    ),
  ).action(async (words, options) => (await import('./aggregate.ts')).readAggregate(words, options))
}
