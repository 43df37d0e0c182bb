import type { Deps } from '../deps'
import type { Arrival } from './edge'
import type { Limits } from './rate-limit'

/** Something that answers on a path and is no `/v1` endpoint: a page, a form, an OAuth endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Path parameters as `:id`. */
  readonly path: string
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
