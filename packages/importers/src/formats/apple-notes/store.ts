import type { ReadDatabase } from '../../reading/database.ts'

const TABLE = 'ZICCLOUDSYNCINGOBJECT'
/** Max. files of one note. */
const MAX_FILES = 10_000

export interface StoredNote {
  readonly pk: number
  readonly identifier: string | null
  readonly title: string | null
  readonly folder: string | null
  readonly folderKind: number | null
  readonly account: string | null
  readonly created: number | null
  readonly modified: number | null
  readonly isLocked: number | null
  readonly isPinned: number | null
  readonly isDeleted: number | null
  readonly data: Buffer | null
}

export interface StoredFile {
  readonly note: number
  readonly identifier: string | null
  readonly type: string | null
  readonly filename: string | null
  readonly mediaIdentifier: string | null
  readonly address: string | null
}

/** The database of Apple Notes. One table holds objects of all kinds, and its columns differ between versions. */
export class NoteStore {
  readonly #database: ReadDatabase
  readonly #columns: ReadonlySet<string>

  constructor(database: ReadDatabase) {
    this.#database = database
    const columns = database.prepare(`SELECT name FROM pragma_table_info('${TABLE}')`).all() as { name: string }[]
    this.#columns = new Set(columns.map(({ name }) => name))
  }

  *notes(): Iterable<{ stored: StoredNote; files: readonly StoredFile[] }> {
    // Notes and files are both read in the order of the notes, because the table has no index to look up files.
    const files = this.#files()[Symbol.iterator]()
    let next = files.next()
    for (const stored of this.#notes()) {
      const own: StoredFile[] = []
      for (; !next.done && next.value.note <= stored.pk; next = files.next())
        if (next.value.note === stored.pk && own.length < MAX_FILES) own.push(next.value)
      yield { stored, files: own }
    }
  }

  *#notes(): Iterable<StoredNote> {
    const n = (...names: string[]) => this.#first('n', names)
    yield* this.#database
      .prepare(
        `SELECT n.Z_PK AS pk, ${n('ZIDENTIFIER')} AS identifier, ${n('ZTITLE1')} AS title,
          ${this.#first('f', ['ZTITLE2'])} AS folder, ${this.#first('f', ['ZFOLDERTYPE'])} AS folderKind,
          COALESCE(${this.#first('a', ['ZNAME'])}, ${this.#first('p', ['ZNAME'])}) AS account,
          ${n('ZCREATIONDATE3', 'ZCREATIONDATE2', 'ZCREATIONDATE1', 'ZCREATIONDATE')} AS created,
          ${n('ZMODIFICATIONDATE1', 'ZMODIFICATIONDATE')} AS modified,
          ${n('ZISPASSWORDPROTECTED')} AS isLocked, ${n('ZISPINNED')} AS isPinned,
          ${n('ZMARKEDFORDELETION')} AS isDeleted, d.ZDATA AS data
        FROM ZICNOTEDATA d JOIN ${TABLE} n ON n.Z_PK = d.ZNOTE
          LEFT JOIN ${TABLE} f ON f.Z_PK = ${n('ZFOLDER')}
          LEFT JOIN ${TABLE} a ON a.Z_PK = ${this.#first('n', ['ZACCOUNT7', 'ZACCOUNT4', 'ZACCOUNT3', 'ZACCOUNT2'])}
          LEFT JOIN ${TABLE} p ON p.Z_PK = ${this.#first('f', ['ZPARENT'])}
        ORDER BY n.Z_PK`,
      )
      .iterate() as Iterable<StoredNote>
  }

  *#files(): Iterable<StoredFile> {
    const x = (...names: string[]) => this.#first('x', names)
    yield* this.#database
      .prepare(
        `SELECT ${x('ZNOTE', 'ZNOTE1')} AS note, ${x('ZIDENTIFIER')} AS identifier, ${x('ZTYPEUTI')} AS type,
          COALESCE(${this.#first('m', ['ZFILENAME'])}, ${x('ZFILENAME', 'ZTITLE')}) AS filename,
          ${this.#first('m', ['ZIDENTIFIER'])} AS mediaIdentifier, ${x('ZURLSTRING')} AS address
        FROM ${TABLE} x LEFT JOIN ${TABLE} m ON m.Z_PK = ${x('ZMEDIA')}
        WHERE ${x('ZNOTE', 'ZNOTE1')} IS NOT NULL AND ${x('ZTYPEUTI')} IS NOT NULL ORDER BY note, x.Z_PK`,
      )
      .iterate() as Iterable<StoredFile>
  }

  /** The first of these columns that has a value. The result is null in versions that lack all of them. */
  #first(table: string, names: readonly string[]): string {
    const found = names.filter((name) => this.#columns.has(name)).map((name) => `${table}.${name}`)
    return found.length === 0 ? 'NULL' : found.length === 1 ? found[0]! : `COALESCE(${found.join(', ')})`
  }
}
