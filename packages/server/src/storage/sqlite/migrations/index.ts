import { GROUND } from './001-ground.ts'
import { RECEIPTS } from './001-receipts.ts'
import { SEARCH } from './002-search.ts'
import { AUTHORIZATION } from './005-authorization.ts'

export const MAIN_MIGRATIONS = [GROUND, SEARCH, AUTHORIZATION]
export const RECEIPT_MIGRATIONS = [RECEIPTS]
