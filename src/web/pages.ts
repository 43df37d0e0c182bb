import type { Deps } from '../deps'
import type { Server } from '../http/server'
import { answerVisit } from './answer-visit'
import type { ToastOf } from './flash'
import type { PageRoute } from './page'
import { openVisit } from './visit'

const sessions = (deps: Deps) => (server: Server) =>
  server.resolve(async ({ request, params, context, limits }) => ({
    visit: await openVisit({ deps, request, params, context, limits }),
  }))

export const pages =
  (deps: Deps, routes: readonly PageRoute[], toastOf: ToastOf) =>
  (server: Server): Server => {
    server.guard({}, (guarded) => {
      const app = guarded.use(sessions(deps))
      for (const { method, path, detail = {}, answer } of routes)
        app.route(method, path, async ({ visit }) => answerVisit(visit, answer, toastOf), {
          parse: 'none',
          detail,
        })
      return app
    })
    return server
  }
