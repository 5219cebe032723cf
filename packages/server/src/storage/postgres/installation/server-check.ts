import { StartupError } from '../../../lib/startup-error.ts'
import type { Database } from '../engine/database.ts'
import { POOLED } from '../engine/fault.ts'
import { TABLES } from '../engine/migrations/index.ts'

/** The oldest version that the tests run on. */
const MIN_VERSION = 15

interface ServerState {
  readonly version: number
  readonly encoding: string
  readonly is_standby: boolean
  readonly is_read_only: boolean
  readonly may_create: boolean
  readonly has_tables: boolean
  readonly may_write: boolean
}

const FIX = 'Look at PDPP_DATABASE_URL.'

/** Throws an error that explains why the database cannot be used, before anything is written to it. */
export async function checkServer(database: Database): Promise<void> {
  const state = await stateOf(database)
  if (state.version < MIN_VERSION)
    throw new StartupError(
      `The database server is PostgreSQL ${state.version}; pdpp needs ${MIN_VERSION} or newer. ${FIX}`,
    )
  if (state.encoding !== 'UTF8')
    throw new StartupError(
      `The database has the encoding ${state.encoding}; pdpp needs UTF8. Create one with \`create database … encoding 'UTF8' template template0\`.`,
    )
  if (state.is_standby) throw new StartupError(`The database server is a standby, which nobody can write to. ${FIX}`)
  if (state.is_read_only)
    throw new StartupError('The database is read-only for this user (default_transaction_read_only is on).')
  if (!state.may_write)
    throw new StartupError(
      'The user of PDPP_DATABASE_URL may not write to the tables of pdpp in this database. Name the user who owns them.',
    )
  if (!state.has_tables && !state.may_create)
    throw new StartupError(
      'The user of PDPP_DATABASE_URL may not create tables in this database. Run `grant create on schema public to <user>` as its owner, or name a user who owns the database.',
    )
}

/** Refuses a pooler that loses prepared statements, because it would fail requests at random later. */
export async function checkPrepared(database: Database): Promise<void> {
  if (await database.losesPrepared()) throw new StartupError(POOLED)
}

/** Call after migrating. Otherwise a removed table would be noticed only by a later read. */
export async function checkTables(database: Database): Promise<void> {
  const sql = 'select t.name from unnest(?::text[]) t (name) where to_regclass(quote_ident(t.name)) is null'
  const missing = await database.column<string>(sql, TABLES)
  if (missing.length > 0)
    throw new StartupError(
      `The database is damaged: it lacks ${missing.length === 1 ? 'the table' : 'the tables'} ${missing.join(', ')}. Restore it from a dump, or name another database in PDPP_DATABASE_URL.`,
    )
}

async function stateOf(database: Database): Promise<ServerState> {
  const sql = `select current_setting('server_version_num')::bigint / 10000 "version",
    current_setting('server_encoding') "encoding", pg_is_in_recovery() is_standby,
    current_setting('default_transaction_read_only') = 'on' is_read_only,
    has_schema_privilege(coalesce(current_schema(), 'public'), 'create') may_create,
    to_regclass('pdpp_format') is not null has_tables,
    coalesce(has_table_privilege(to_regclass('pdpp_format')::oid, 'insert, update'), true) may_write`
  try {
    return (await database.get<ServerState>(sql))!
  } catch (error) {
    throw new StartupError(connectionProblem(error as Error & { code?: string }))
  }
}

/** Messages of PostgreSQL and `pg` never contain the password. */
function connectionProblem({ code, message }: Error & { code?: string }): string {
  if (/^SASL: .*password must be a/.test(message))
    return 'The database server asks for a password, and PDPP_DATABASE_URL has none. Write it as postgresql://user:password@host/database.'
  switch (code) {
    case '28P01':
    case '28000':
      return `The database server refuses the user or the password of PDPP_DATABASE_URL: ${message}. Look at both; a sign such as @ or / in the password is written as %40 or %2F.`
    case '3D000':
      return `There is no such database: ${message}. Create it, or name another one in PDPP_DATABASE_URL.`
    case '42501':
      return `The user of PDPP_DATABASE_URL may not use this database: ${message}. Grant it, or name another user.`
    case '53300':
      return `The database server has no free connection: ${message}.`
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Nothing answers at the address of PDPP_DATABASE_URL (${code}). Start the database server, or look at the address.`
    default:
      return `The database of PDPP_DATABASE_URL cannot be opened: ${message || code}.`
  }
}
