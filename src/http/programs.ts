import type { Deps } from '../deps'
import type { Route } from './route'
import type { Server } from './server'

/** Adds what answers programs besides `/v1`. */
export const programs =
  (deps: Deps, routes: readonly Route[]) =>
  (server: Server): Server => {
    for (const { method, path, detail = {}, answer } of routes)
      server.route(
        method,
        path,
        async ({ request, params, arrival, limits }) => answer({ deps, request, params, arrival, limits }),
        { parse: 'none', detail },
      )
    return server
  }
