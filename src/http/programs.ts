import type { Deps } from '../deps'
import type { Route } from './route'
import type { Server } from './server'

export const programs =
  (deps: Deps, routes: readonly Route[]) =>
  (server: Server): Server => {
    for (const { method, path, detail = {}, answer } of routes)
      server.route(
        method,
        path,
        async ({ request, params, context, limits }) => answer({ deps, request, params, context, limits }),
        { parse: 'none', detail },
      )
    return server
  }
