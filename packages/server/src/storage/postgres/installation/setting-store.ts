import { randomBytes } from 'node:crypto'
import type { SecretStore, SettingStore } from '../../../lib/setting-store.ts'
import type { Database } from '../engine/database.ts'
import type { Owners } from './owners.ts'

/** Settings of owners, and secrets of the installation. */
export class PostgresSettingStore implements SettingStore, SecretStore {
  readonly #database: Database
  readonly #owners: Owners

  constructor(database: Database, owners: Owners) {
    this.#database = database
    this.#owners = owners
  }

  /** If two processes create a secret at the same time, the first one wins. */
  async secret(name: string): Promise<Uint8Array> {
    const sql = 'select value from secret where name = ?'
    const [known] = await this.#database.column<Uint8Array>(sql, name)
    if (known) return known
    await this.#database.run('insert into secret values (?, ?) on conflict do nothing', name, randomBytes(32))
    return (await this.#database.column<Uint8Array>(sql, name))[0]!
  }

  async setting(subjectId: string, name: string): Promise<string | undefined> {
    const subject = await this.#owners.find(subjectId)
    if (subject === undefined) return
    const sql = 'select value from setting where subject = ? and name = ?'
    return (await this.#database.column<string>(sql, subject, name))[0]
  }

  async saveSetting(subjectId: string, name: string, value: string | undefined): Promise<void> {
    const subject = await this.#owners.require(subjectId)
    if (value === undefined)
      await this.#database.write('delete from setting where subject = ? and name = ?', subject, name)
    else {
      const sql =
        'insert into setting values (?, ?, ?) on conflict (subject, name) do update set value = excluded.value'
      await this.#database.write(sql, subject, name, value)
    }
  }
}
