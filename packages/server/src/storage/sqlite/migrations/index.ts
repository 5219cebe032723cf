import { GROUND } from './001-ground.ts'
import { RECEIPTS } from './001-receipts.ts'
import { SEARCH } from './002-search.ts'

export const MAIN_MIGRATIONS = [GROUND, SEARCH]
export const RECEIPT_MIGRATIONS = [RECEIPTS]
