import type { Params } from '../../api/params'
import type { Application } from '../clients/application'
import type { ClientCall } from '../endpoint'
import type { OAuthErrorType } from '../error'
import type { Issued } from './access-token'

/** A request for a token by a client that proved who it is. */
export interface TokenRequest extends ClientCall {
  readonly client: Application
}

/** A way to a token (RFC 6749 §4). */
export interface Grant {
  /** As `grant_type` says it. */
  readonly type: string
  /** What it is asked, besides who asks. */
  readonly params: Params
  /** With what it may be refused, all of them 400. */
  readonly errors: readonly OAuthErrorType[]
  /** Throws `OAuthError`. */
  redeem(asked: TokenRequest): Promise<Issued>
}
