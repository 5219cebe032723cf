import { describe } from 'vitest'
import type { Storage } from '../contract.ts'
import type { StorageAdmin } from '../storage-admin.ts'
import { accessCases } from './access.cases.ts'
import { aggregateCases } from './aggregate.cases.ts'
import { authorizationCases } from './authorization.cases.ts'
import { blobCases } from './blob.cases.ts'
import { changeCases } from './change.cases.ts'
import { childrenCases } from './children.cases.ts'
import { conversationCases } from './conversation.cases.ts'
import { exportCases } from './export.cases.ts'
import { filterCases } from './filter.cases.ts'
import { importCases } from './import.cases.ts'
import { importCreatedCases } from './import-created.cases.ts'
import { packageCases } from './package.cases.ts'
import { pageCases } from './page.cases.ts'
import { parentsCases } from './parents.cases.ts'
import { receiptCases } from './receipt.cases.ts'
import { searchCases } from './search.cases.ts'
import { signInCases } from './sign-in.cases.ts'
import { subscriptionCases } from './subscription.cases.ts'
import { textCases } from './text.cases.ts'
import { upkeepCases } from './upkeep.cases.ts'
import { wishCases } from './wish.cases.ts'
import { writeCases } from './write.cases.ts'

/** Opens an empty store. The tests close it. */
export type OpenStorage = () => Promise<Storage & { readonly admin: StorageAdmin }>

/** The tests that every store must pass. */
export function runStorageContract(name: string, open: OpenStorage): void {
  describe(`storage contract: ${name}`, () => {
    writeCases(open)
    textCases(open)
    pageCases(open)
    filterCases(open)
    childrenCases(open)
    parentsCases(open)
    changeCases(open)
    aggregateCases(open)
    searchCases(open)
    conversationCases(open)
    accessCases(open)
    authorizationCases(open)
    packageCases(open)
    wishCases(open)
    receiptCases(open)
    signInCases(open)
    upkeepCases(open)
    blobCases(open)
    exportCases(open)
    importCases(open)
    importCreatedCases(open)
    subscriptionCases(open)
  })
}
