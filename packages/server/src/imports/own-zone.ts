import { isTimeZone } from '@pdpp/importers'
import { PdppError } from '@pdpp/protocol'
import type { SettingStore } from '../lib/setting-store.ts'

const NAME = 'import_time_zone'

/** The zone in which the owner's exports were made. It is asked for once; then every import reads times without a zone in it. */
export class OwnZone {
  readonly #settings: SettingStore

  constructor(settings: SettingStore) {
    this.#settings = settings
  }

  read(subjectId: string): Promise<string | undefined> {
    return this.#settings.setting(subjectId, NAME)
  }

  async save(subjectId: string, zone: string): Promise<void> {
    if (!isTimeZone(zone))
      throw new PdppError('invalid_argument', `"${zone.slice(0, 100)}" is not a time zone.`, {
        param: 'time_zone',
        nextStep: 'Write a name such as Europe/Berlin or America/New_York.',
      })
    await this.#settings.saveSetting(subjectId, NAME, zone)
  }
}
