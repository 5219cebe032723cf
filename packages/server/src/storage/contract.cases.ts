import { describe } from 'vitest'
import type { Storage } from './contract.ts'
import { accessCases } from './contract-access.cases.ts'
import { aggregateCases } from './contract-aggregate.cases.ts'
import { authorizationCases } from './contract-authorization.cases.ts'
import { blobCases } from './contract-blob.cases.ts'
import { changeCases } from './contract-change.cases.ts'
import { childrenCases } from './contract-children.cases.ts'
import { filterCases } from './contract-filter.cases.ts'
import { importCases } from './contract-import.cases.ts'
import { importMadeCases } from './contract-import-made.cases.ts'
import { packageCases } from './contract-package.cases.ts'
import { pageCases } from './contract-page.cases.ts'
import { parentsCases } from './contract-parents.cases.ts'
import { receiptCases } from './contract-receipt.cases.ts'
import { searchCases } from './contract-search.cases.ts'
import { signInCases } from './contract-sign-in.cases.ts'
import { upkeepCases } from './contract-upkeep.cases.ts'
import { writeCases } from './contract-write.cases.ts'

/** Makes an empty store; the battery closes it. */
export type OpenStorage = () => Promise<Storage>

/** What every store must pass, whatever engine is behind it. */
export function runStorageContract(name: string, open: OpenStorage): void {
  describe(`storage contract: ${name}`, () => {
    writeCases(open)
    pageCases(open)
    filterCases(open)
    childrenCases(open)
    parentsCases(open)
    changeCases(open)
    aggregateCases(open)
    searchCases(open)
    accessCases(open)
    authorizationCases(open)
    packageCases(open)
    receiptCases(open)
    signInCases(open)
    upkeepCases(open)
    blobCases(open)
    importCases(open)
    importMadeCases(open)
  })
}
