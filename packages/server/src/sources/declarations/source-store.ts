import type { SourceDeclaration } from '@pdpp/protocol'

export interface SourceStore {
  /**
   * Stores a declaration and prepares its streams: tables, columns, indexes. Refuses what would lose records. What an
   * import declares it can take back.
   */
  declare(
    subjectId: string,
    declaration: SourceDeclaration,
    importId?: string,
  ): Promise<'created' | 'updated' | 'unchanged'>
  find(subjectId: string, connectorKey: string): Promise<SourceDeclaration | undefined>
  list(subjectId: string): Promise<SourceDeclaration[]>
}
