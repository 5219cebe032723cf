import { GROUND } from './001-ground.ts'
import { RECEIPTS } from './001-receipts.ts'

export const MAIN_MIGRATIONS = [GROUND]
export const RECEIPT_MIGRATIONS = [RECEIPTS]
