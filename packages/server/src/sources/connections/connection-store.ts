export interface Connection {
  readonly connectionId: string
  readonly connectorKey: string
  /** The owner's name for it. Undefined until they choose one. */
  readonly displayName: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ConnectionStore {
  /**
   * Returns false if the id is or was in use, because the id of a removed connection is never used again. A connection
   * that an import creates is removed when the import is undone, unless something else uses it.
   */
  create(subjectId: string, connection: Connection, importId?: string): Promise<boolean>
  find(subjectId: string, connectionId: string): Promise<Connection | undefined>
  list(subjectId: string, connectorKey?: string): Promise<readonly Connection[]>
  rename(subjectId: string, connectionId: string, displayName: string | undefined, at: number): Promise<boolean>
  /** Removes the connection with all its records. Readers lose it at once, before the records are deleted. */
  remove(subjectId: string, connectionId: string): Promise<boolean>
}
