import type { SourceDeclaration } from '@pdpp/protocol'

export interface SourceStore {
  /**
   * Returns the same object until a source or connection of the owner changes, in any process. Values computed from
   * them stay valid until then.
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
