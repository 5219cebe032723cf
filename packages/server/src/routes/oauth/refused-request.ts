import type { Http } from '../environment.ts'

/** An authorization request that ends on our own page instead of at the client. */
export interface RefusedRequest {
  /** As OAuth names it, for whoever writes the application. */
  readonly error: string
  readonly description: string
  /** Where the application waits for the answer. */
  readonly target: string
  /** Whether it is the owner who looks. */
  readonly isOwner: boolean
  /** This request, to come back to after signing in. */
  readonly path: string
}

/** Answers with a page. The console has it; the route only says what happened. */
export type RefusedRequestPage = (c: Http, refused: RefusedRequest, status: number) => Promise<Response>
