import type { Deps } from '../deps'
import { preflight } from './cors'
import { ApiError, methodNotAllowed, unknownRoute } from './errors'
import { allowFrom } from './rate-limit'
import type { RouteContext } from './route'
import type { Server } from './server'

export type Refuse = (cause: ApiError, route: RouteContext) => Response | Promise<Response>

/**
 * Add it last. `forPrograms`: the methods of paths that answer browsers by others too. Registers every path: Elysia would match `DELETE /v1/me/records/bulk` with
 * `/v1/me/records/:id`.
 */
export const otherMethods =
  (deps: Deps, refuse: Refuse, forPrograms: Readonly<Record<string, readonly string[]>>) =>
  (server: Server): Server => {
    const options = { parse: 'none' } as const
    const answer = (cause: ApiError, route: RouteContext) => refuse(tooMany(route) ?? cause, route)
    for (const [path, all] of methodsByPath(server)) {
      const methods = forPrograms[path] ?? all
      server.all(
        path,
        async ({ request, params, context, limits, path: requestPath }) => {
          const route = { deps, request, params, context, limits }
          if (request.method !== 'OPTIONS') return answer(methodNotAllowed([...methods, 'OPTIONS']), route)
          const refusal = tooMany(route)
          if (refusal !== undefined) throw refusal
          return preflight(requestPath, methods)
        },
        options,
      )
    }
    server.all(
      '/*',
      async ({ request, params, context, limits }) =>
        answer(unknownRoute(), { deps, request, params, context, limits }),
      options,
    )
    return server
  }

function tooMany({ limits, context }: RouteContext): ApiError | undefined {
  try {
    allowFrom(limits?.byFile, context.peer)
    return undefined
  } catch (cause) {
    if (cause instanceof ApiError) return cause
    throw cause
  }
}

function methodsByPath({ routes }: Server): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(routes, ({ path }) => path)
  const methodsOf = (method: string) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
  return new Map([...byPath].map(([path, those]) => [path, those.flatMap(({ method }) => methodsOf(method))]))
}
