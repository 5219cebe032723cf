import type { SettingStore } from '../lib/setting-store.ts'

const DELIVERY = 'event_delivery'
const PRIVATE = 'event_private_addresses'

/** The owner's settings for sending events. */
export class EventSettings {
  readonly #settings: SettingStore
  readonly #onChange: () => void

  constructor(settings: SettingStore, onChange: () => void = () => {}) {
    this.#settings = settings
    this.#onChange = onChange
  }

  /** True if the server may send events to addresses that clients name. Polling does not need this. */
  async sendsEvents(subjectId: string): Promise<boolean> {
    return (await this.#settings.setting(subjectId, DELIVERY)) !== 'off'
  }

  /** True if events may go to this machine and to private networks. */
  async allowsPrivate(subjectId: string): Promise<boolean> {
    return (await this.#settings.setting(subjectId, PRIVATE)) === 'on'
  }

  async change(
    subjectId: string,
    { sendsEvents, allowsPrivate }: { sendsEvents?: boolean | undefined; allowsPrivate?: boolean | undefined },
  ): Promise<void> {
    if (sendsEvents !== undefined)
      await this.#settings.saveSetting(subjectId, DELIVERY, sendsEvents ? undefined : 'off')
    if (allowsPrivate !== undefined)
      await this.#settings.saveSetting(subjectId, PRIVATE, allowsPrivate ? 'on' : undefined)
    this.#onChange()
  }
}
