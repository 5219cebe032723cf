import { GROUND } from './001-ground.ts'
import { RECEIPTS } from './001-receipts.ts'
import { SEARCH } from './002-search.ts'
import { SIGN_IN } from './003-sign-in.ts'

export const MAIN_MIGRATIONS = [GROUND, SEARCH, SIGN_IN]
export const RECEIPT_MIGRATIONS = [RECEIPTS]
