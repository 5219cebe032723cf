/** Shared by the command line and the stdio adapter: cached grants, their tokens, and reads of `/v1`. */

export { filterParameters, requireFilter } from '../calling/typed-arguments.ts'
export { readEnvironment } from '../config/env.ts'
export {
  type CachedCredential,
  type CachedGrant,
  CredentialCache,
  cacheRoot,
  grantOf,
} from '../credentials/credential-cache.ts'
export { isOwnerCredential } from '../credentials/credential-file.ts'
export { blobOf, blobText } from '../rendering/blob.ts'
export { grouped, shortLine, shortTime, weekdayTime } from '../rendering/safe-text.ts'
export { type JsonObject, objectOf, objectsOf, rowsOf, textOf, warningsOf } from '../resource-server/envelope.ts'
export { type HttpRequest, httpFetch } from '../resource-server/http-fetch.ts'
export { HttpResourceServer } from '../resource-server/http-resource-server.ts'
export { HttpSubscriptionServer } from '../resource-server/http-subscription-server.ts'
export { isAboutReach } from '../resource-server/reach-codes.ts'
export { type Reply, recordPath, streamPath } from '../resource-server/resource-server.ts'
export { isStandardStep, nextStepFrom, parameterOf, secondsOf } from '../resource-server/server-error.ts'
export {
  SUBSCRIPTIONS,
  type SubscriptionWrite,
  subscriptionPath,
} from '../resource-server/subscription-server.ts'
export { attachmentsText } from '../tools/search/search-hit.ts'
export { CachedBearer } from '../transports/stdio/cached-bearer.ts'
