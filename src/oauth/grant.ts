import type { Issued } from './access-token'
import type { Application } from './application'
import type { ClientCall } from './endpoint'

/** A request for a token by a client that proved who it is. */
export interface TokenRequest extends ClientCall {
  readonly client: Application
}

/** A way to a token (RFC 6749 §4). */
export interface Grant {
  /** As `grant_type` says it. */
  readonly type: string
  /** Throws `OAuthError`. */
  redeem(asked: TokenRequest): Promise<Issued>
}
