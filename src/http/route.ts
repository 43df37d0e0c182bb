import type { Deps } from '../deps'
import type { Limits } from './rate-limit'
import type { Arrival } from './request-context'

/** Something that answers on a path and is neither an endpoint of `/v1` nor a page. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Path parameters as `:id`. */
  readonly path: string
  /** Its operation in the API's documentation; undefined for what is in none. */
  readonly detail?: object
  /** Never throws what it can say itself. */
  answer(asked: Asked): Promise<Response> | Response
}

/** A request on its way to a route. */
export interface Asked {
  readonly deps: Deps
  readonly request: Request
  /** The path's parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly arrival: Arrival
  /** Undefined when requests are not limited. */
  readonly limits: Limits | undefined
}
