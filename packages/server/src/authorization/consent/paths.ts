/** Path of the page where the owner decides on a request. */
export const CONSENT_PATH = '/oauth/consent'
