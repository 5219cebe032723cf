import { PdppError } from '@pdpp/protocol'
import type { Client } from '../clients/client-store.ts'
import type { SettingStore } from '../lib/setting-store.ts'

const SETTING = 'owner_agents'
const MAX_LISTED = 50

/**
 * Programs that may ask for full access: our own command, and those that the owner listed. Anybody can register under
 * any name, so a registered client alone must not reach that page.
 */
export class OwnerAgents {
  readonly #settings: SettingStore

  constructor(settings: SettingStore) {
    this.#settings = settings
  }

  async mayAsk(subjectId: string, { clientId, kind }: Pick<Client, 'clientId' | 'kind'>): Promise<boolean> {
    return kind === 'pre_registered' || (await this.#listed(subjectId)).includes(clientId)
  }

  async add(subjectId: string, clientId: string): Promise<void> {
    const listed = await this.#listed(subjectId)
    if (listed.includes(clientId)) return
    if (listed.length >= MAX_LISTED)
      throw new PdppError('invalid_argument', `At most ${MAX_LISTED} programs can be listed for full access.`, {
        nextStep: 'Remove full access from another program first.',
      })
    await this.#save(subjectId, [...listed, clientId])
  }

  async remove(subjectId: string, clientId: string): Promise<void> {
    const listed = await this.#listed(subjectId)
    if (listed.includes(clientId))
      await this.#save(
        subjectId,
        listed.filter((one) => one !== clientId),
      )
  }

  async #listed(subjectId: string): Promise<string[]> {
    return JSON.parse((await this.#settings.setting(subjectId, SETTING)) ?? '[]') as string[]
  }

  #save(subjectId: string, listed: readonly string[]): Promise<void> {
    return this.#settings.saveSetting(subjectId, SETTING, JSON.stringify(listed))
  }
}
