/** Where the owner decides on a request. */
export const CONSENT_PATH = '/oauth/consent'

/** Seconds between two questions of somebody who waits for the owner's decision. */
export const POLL_SECONDS = 2
