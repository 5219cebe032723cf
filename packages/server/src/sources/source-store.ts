import type { SourceDeclaration } from '@pdpp/protocol'

export interface SourceStore {
  /** Stores a declaration and prepares its streams: tables, columns, indexes. Refuses what would lose records. */
  declare(subjectId: string, declaration: SourceDeclaration): Promise<'created' | 'updated' | 'unchanged'>
  find(subjectId: string, connectorKey: string): Promise<SourceDeclaration | undefined>
  list(subjectId: string): Promise<SourceDeclaration[]>
}
