import type { Deps } from '../deps'
import type { Server } from '../http/server'
import { answerVisit, type PageRoute } from './page'
import { openVisit } from './visit'

/** Plugin: resolves `visit`, which knows who is signed in, for the routes that are added after it. */
const sessions = (deps: Deps) => (server: Server) =>
  server.resolve(async ({ request, params, arrival, limits }) => ({
    visit: await openVisit({ deps, request, params, arrival, limits }),
  }))

/** Adds pages and what their forms do. */
export const pages =
  (deps: Deps, routes: readonly PageRoute[]) =>
  (server: Server): Server => {
    server.guard({}, (guarded) => {
      const app = guarded.use(sessions(deps))
      for (const { method, path, detail = {}, answer } of routes)
        app.route(method, path, async ({ visit }) => answerVisit(visit, answer), { parse: 'none', detail })
      return app
    })
    return server
  }
