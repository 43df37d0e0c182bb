import type { Deps } from '../deps'
import { preflight } from './cors'
import { type ApiError, methodNotAllowed, unknownRoute } from './errors'
import type { Asked } from './route'
import type { Server } from './server'

/** Answers a request that no route answers; `cause` says why. */
export type Refuse = (cause: ApiError, asked: Asked) => Response | Promise<Response>

/**
 * Answers what no route of a server does: OPTIONS with the methods that a path has, others with 405, unknown paths with
 * 404. To be added last. It names every path, since Elysia looks for one among the routes of a method, and would take
 * `DELETE /v1/me/records/bulk` for `/v1/me/records/:id`.
 */
export const otherMethods =
  (deps: Deps, refuse: Refuse) =>
  (server: Server): Server => {
    const options = { parse: 'none' } as const
    for (const [path, methods] of methodsByPath(server))
      server.all(
        path,
        async ({ request, params, arrival, limits, path: asked }) => {
          if (request.method === 'OPTIONS') return preflight(asked, methods)
          const cause = methodNotAllowed([...methods, 'OPTIONS'])
          return refuse(cause, { deps, request, params, arrival, limits })
        },
        options,
      )
    server.all(
      '/*',
      async ({ request, params, arrival, limits }) =>
        refuse(unknownRoute(), { deps, request, params, arrival, limits }),
      options,
    )
    return server
  }

/** Which methods each path has, HEAD with GET. */
function methodsByPath({ routes }: Server): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  const methodsOf = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
  return new Map([...byPath].map(([path, those]) => [path, those.flatMap(({ method }) => methodsOf(method))]))
}
