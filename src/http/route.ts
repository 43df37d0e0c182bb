import type { Deps } from '../deps'
import type { RequestContext } from './incoming'
import type { Limits } from './rate-limit'

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** OpenAPI operation; undefined if undocumented. */
  readonly detail?: object
  answer(route: RouteContext): Promise<Response> | Response
}

export interface RouteContext {
  readonly deps: Deps
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly context: RequestContext
  readonly limits: Limits | undefined
}
