export interface Connection {
  readonly connectionId: string
  readonly connectorKey: string
  /** What the owner calls it; undefined until they name it. */
  readonly displayName: string | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ConnectionStore {
  /**
   * False when the id is taken, or was once: a removed connection's id is not given out again. One that an import makes
   * goes when that is undone and nobody uses it.
   */
  create(subjectId: string, connection: Connection, importId?: string): Promise<boolean>
  find(subjectId: string, connectionId: string): Promise<Connection | undefined>
  list(subjectId: string, connectorKey?: string): Promise<readonly Connection[]>
  rename(subjectId: string, connectionId: string, displayName: string | undefined, at: number): Promise<boolean>
  /** Removes the connection with all its records; it is gone for readers before the work is done. */
  remove(subjectId: string, connectionId: string): Promise<boolean>
}
