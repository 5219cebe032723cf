import { randomBytes } from 'node:crypto'
import type { SecretStore, SettingStore } from '../../../lib/setting-store.ts'
import type { Handle, WriteDatabases } from '../engine/database.ts'
import { type ChainEnd, saveLastReceipts } from './installation.ts'

/** Settings and secrets of the installation, and the note about its last receipts. */
export class SqliteSettingStore implements SettingStore, SecretStore {
  readonly #writer: Handle

  constructor({ writer }: WriteDatabases) {
    this.#writer = writer
  }

  async secret(name: string): Promise<Uint8Array> {
    this.#writer.run('insert into secret values (?, ?) on conflict do nothing', name, randomBytes(32))
    return this.#writer.get<{ value: Uint8Array }>('select value from secret where name = ?', name)!.value
  }

  async setting(subjectId: string, name: string): Promise<string | undefined> {
    const sql = 'select value from setting where subject_id = ? and name = ?'
    return this.#writer.get<{ value: string }>(sql, subjectId, name)?.value
  }

  async saveSetting(subjectId: string, name: string, value: string | undefined): Promise<void> {
    if (value === undefined) this.#writer.run('delete from setting where subject_id = ? and name = ?', subjectId, name)
    else
      this.#writer.run(
        'insert into setting values (?, ?, ?) on conflict (subject_id, name) do update set value = excluded.value',
        subjectId,
        name,
        value,
      )
  }

  async saveLastReceipts(chainEnds: ReadonlyMap<string, ChainEnd>): Promise<void> {
    saveLastReceipts(this.#writer, chainEnds)
  }
}
