import { GROUND } from './001-ground.ts'
import { RECEIPTS } from './001-receipts.ts'
import { LAST_USE } from './002-last-use.ts'
import { SEARCH } from './002-search.ts'
import { PACKAGES } from './003-packages.ts'
import { RECEIPT_TALLY } from './003-receipt-tally.ts'
import { INSTALLATION } from './004-installation.ts'
import { SIGN_IN } from './004-sign-in.ts'
import { AUTHORIZATION } from './005-authorization.ts'
import { RECEIPT_LINES } from './005-receipt-lines.ts'
import { BLOBS } from './006-blobs.ts'
import { TEXT_IDS } from './006-text-ids.ts'
import { IMPORTS } from './007-imports.ts'
import { IMPORT_MADE } from './008-import-made.ts'
import { LEFT_AT_VERSION } from './009-left-at-version.ts'
import { EXPIRED } from './010-expired.ts'
import { LONG_TEXTS } from './011-long-texts.ts'
import { PLAIN_NAMES } from './012-plain-names.ts'
import { SUBSCRIPTIONS } from './013-subscriptions.ts'
import { WORD_INDEX } from './014-word-index.ts'
import { WORD_PARTS } from './015-word-parts.ts'
import { WISHES } from './016-wishes.ts'
import { RECORD_BRIEFS } from './017-record-briefs.ts'
import { PLAN_VERSION } from './018-plan-version.ts'

export const MAIN_MIGRATIONS = [
  GROUND,
  SEARCH,
  PACKAGES,
  SIGN_IN,
  AUTHORIZATION,
  BLOBS,
  IMPORTS,
  IMPORT_MADE,
  LEFT_AT_VERSION,
  EXPIRED,
  LONG_TEXTS,
  PLAIN_NAMES,
  SUBSCRIPTIONS,
  WORD_INDEX,
  WORD_PARTS,
  WISHES,
  RECORD_BRIEFS,
  PLAN_VERSION,
]
export const RECEIPT_MIGRATIONS = [RECEIPTS, LAST_USE, RECEIPT_TALLY, INSTALLATION, RECEIPT_LINES, TEXT_IDS]
