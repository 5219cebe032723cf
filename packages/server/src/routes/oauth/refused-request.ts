import type { Http } from '../environment.ts'

/** An authorization request that ends on our own page instead of at the client. */
export interface RefusedRequest {
  /** OAuth's error code, for the developers of the application. */
  readonly error: string
  readonly description: string
  /** The application's redirect URI with the error, which the owner may still follow. */
  readonly target: string
  /** True if the signed-in owner sees the page. */
  readonly isOwner: boolean
  /** The path of this request, to return to after sign-in. */
  readonly path: string
}

/** Sends the page for a refused request. Passed in, because routes must not import console pages. */
export type RefusedRequestPage = (c: Http, refused: RefusedRequest, status: number) => Promise<Response>
