import type { Deps } from '../deps'
import { allowFrom } from './rate-limit'
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

/** Files, which need no token and no session: requests are counted by address (D53). */
export const files = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => ({
    ...route,
    answer: async (asked) => {
      allowFrom(asked.limits?.byFile, asked.context.peer)
      return await route.answer(asked)
    },
  }))
