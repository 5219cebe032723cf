import { isTraining } from '../requests/authorization-details.ts'
import type { ConsentRequest } from './consent-service.ts'
import type { Review } from './review.ts'

/** Purpose of the form token: the form counts only for this session and this request. */
export const consentPurpose = ({ uid }: Pick<ConsentRequest, 'uid'>): string => `consent:${uid}`

/** Purpose of the token that proves what the page showed. An approval of anything else is shown to the owner first. */
export const shownPurpose = ({ uid }: Pick<ConsentRequest, 'uid'>, { digest }: Pick<Review, 'digest'>): string =>
  `consent-shown:${uid}:${digest}`

/** True if one of the grants allows training a model, which needs a separate yes. */
export function allowsTraining({ grants }: Review): boolean {
  return grants.some(({ draft }) => isTraining(draft.purpose_code))
}
