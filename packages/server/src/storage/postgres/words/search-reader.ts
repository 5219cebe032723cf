import type { SearchOutcome, SearchReader } from '../../../search/search-store.ts'

export class PostgresSearchReader implements SearchReader {
  search(): Promise<SearchOutcome> {
    throw new Error('Not built yet.')
  }
}
