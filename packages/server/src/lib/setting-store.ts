/** Small named values that an owner's settings are made of. */
export interface SettingStore {
  setting(subjectId: string, name: string): Promise<string | undefined>
  saveSetting(subjectId: string, name: string, value: string | undefined): Promise<void>
}

export interface SecretStore {
  /** A random secret, created once and kept under its name, so that cursors sealed before a restart open after it. */
  secret(name: string): Promise<Uint8Array>
}
