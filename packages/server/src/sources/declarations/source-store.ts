import type { SourceDeclaration } from '@pdpp/protocol'

export interface SourceStore {
  /**
   * The same object until a source or connection of the owner is changed, by any process. Whatever was computed
   * from these since then still holds.
   */
  moment(subjectId: string): Promise<object>
  /**
   * Stores a declaration and prepares its streams: tables, columns, indexes. Refuses changes that would lose records.
   * With an `importId`, undoing that import can remove the source again.
   */
  declare(
    subjectId: string,
    declaration: SourceDeclaration,
    importId?: string,
  ): Promise<'created' | 'updated' | 'unchanged'>
  find(subjectId: string, connectorKey: string): Promise<SourceDeclaration | undefined>
  list(subjectId: string): Promise<SourceDeclaration[]>
}
