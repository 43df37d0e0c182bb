import type { TObject } from 'typebox'
import type { Params } from '../api/params'
import type { Route } from '../http/route'
import type { OAuthErrorType } from './error'

/** What the documentation says of an OAuth endpoint; everything in it comes from the endpoint's declaration. */
export interface OAuthOperation {
  readonly summary: string
  readonly description?: string
  readonly params: Params
  /** Who may ask; any one of these. */
  readonly by: readonly Asking[]
  readonly answers: ObjectAnswers | PageAnswers
}

/** With a token, with the credentials of a client by HTTP Basic, or with nothing in the headers. */
export type Asking = 'token' | 'client' | 'anyone'

/** A JSON object, and errors by their status. */
interface ObjectAnswers {
  readonly schema: TObject
  readonly errors: OAuthErrors
}

/** What a browser is shown or where it is led, by status. */
interface PageAnswers {
  readonly pages: Readonly<Record<number, string>>
}

export type OAuthErrors = Readonly<Record<number, readonly OAuthErrorType[]>>

/** A route, or a page, that stands in the documentation. */
export type Documented<R> = R & { readonly operation: OAuthOperation }

export type OAuthRoute = Documented<Route>
