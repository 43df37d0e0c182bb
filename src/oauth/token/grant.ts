import type { Params } from '../../api/params'
import type { Application } from '../clients/application'
import type { ClientCall } from '../endpoint'
import type { OAuthErrorType } from '../error'
import type { IssuedToken } from './access-token'

export interface TokenRequest extends ClientCall {
  readonly client: Application
}

/** A grant type (RFC 6749 §4). */
export interface Grant {
  readonly type: string
  readonly params: Params
  /** All are sent with status 400. */
  readonly errors: readonly OAuthErrorType[]
  /** Throws `OAuthError`. */
  redeem(asked: TokenRequest): Promise<IssuedToken>
}
