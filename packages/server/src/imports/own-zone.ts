import { isTimeZone } from '@pdpp/importers'
import { PdppError } from '@pdpp/protocol'
import type { SettingStore } from '../lib/setting-store.ts'

const NAME = 'import_time_zone'

/**
 * The owner's time zone, chosen in the settings or when an import asks for it. Pages show times in this zone, and
 * imports use it for times without a zone.
 */
export class OwnZone {
  readonly #settings: SettingStore
  /** Cached, because every page needs it. */
  readonly #known = new Map<string, Promise<string | undefined>>()

  constructor(settings: SettingStore) {
    this.#settings = settings
  }

  read(subjectId: string): Promise<string | undefined> {
    const known = this.#known.get(subjectId) ?? this.#settings.setting(subjectId, NAME)
    this.#known.set(subjectId, known)
    known.catch(() => this.#known.delete(subjectId))
    return known
  }

  /** Undefined means that each browser's own zone is used and imports ask. */
  async save(subjectId: string, zone: string | undefined): Promise<void> {
    if (zone !== undefined && !isTimeZone(zone))
      throw new PdppError('invalid_argument', `"${zone.slice(0, 100)}" is not a time zone.`, {
        param: 'time_zone',
        nextStep: 'Write a name such as Europe/Berlin or America/New_York.',
      })
    await this.#settings.saveSetting(subjectId, NAME, zone)
    this.#known.delete(subjectId)
  }
}
