import type { TObject } from 'typebox'
import type { Params } from '../api/params'
import type { Route } from '../http/route'
import type { OAuthErrorType } from './error'

export interface OAuthOperation {
  readonly summary: string
  readonly description?: string
  readonly params: Params
  readonly by: readonly CallerKind[]
  readonly answers: ObjectAnswers | PageAnswers
}

/** `client` is HTTP Basic; `anyone` needs no header. */
export type CallerKind = 'token' | 'client' | 'anyone'

interface ObjectAnswers {
  readonly schema: TObject
  readonly errors: OAuthErrors
}

interface PageAnswers {
  readonly pages: Readonly<Record<number, string>>
}

export type OAuthErrors = Readonly<Record<number, readonly OAuthErrorType[]>>

export type Documented<R> = R & { readonly operation: OAuthOperation }

export type OAuthRoute = Documented<Route>
