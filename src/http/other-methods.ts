import type { Deps } from '../deps'
import { preflight } from './cors'
import { type ApiError, methodNotAllowed, unknownRoute } from './errors'
import type { RouteContext } from './route'
import type { Server } from './server'

export type Refuse = (cause: ApiError, route: RouteContext) => Response | Promise<Response>

/** Add it last. Registers every path: Elysia would match `DELETE /v1/me/records/bulk` with `/v1/me/records/:id`. */
export const otherMethods =
  (deps: Deps, refuse: Refuse) =>
  (server: Server): Server => {
    const options = { parse: 'none' } as const
    for (const [path, methods] of methodsByPath(server))
      server.all(
        path,
        async ({ request, params, context, limits, path: requestPath }) => {
          if (request.method === 'OPTIONS') return preflight(requestPath, methods)
          const cause = methodNotAllowed([...methods, 'OPTIONS'])
          return refuse(cause, { deps, request, params, context, limits })
        },
        options,
      )
    server.all(
      '/*',
      async ({ request, params, context, limits }) =>
        refuse(unknownRoute(), { deps, request, params, context, limits }),
      options,
    )
    return server
  }

function methodsByPath({ routes }: Server): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  const methodsOf = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
  return new Map([...byPath].map(([path, those]) => [path, those.flatMap(({ method }) => methodsOf(method))]))
}
