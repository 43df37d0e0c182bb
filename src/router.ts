import { Elysia } from 'elysia'
import { createShared, type Endpoint, serveEndpoint } from './api/endpoint'
import type { SchemaNames } from './api/openapi/openapi'
import type { Deps } from './deps'
import { assetPaths, returnPath } from './docs/api-page'
import { apiPageAssets } from './docs/assets'
import { createDocumentation, type Section } from './docs/documentation'
import { type Arrival, failed, pathOf } from './http/edge'
import { type ApiError, methodNotAllowed, unknownRoute } from './http/errors'
import { createLimits, type Limits } from './http/rate-limit'
import type { Route } from './http/route'
import { methodsByPath } from './http/routes'
import { basePathOf } from './lib/base-path'
import { apiDocsPage } from './pages/api-docs'
import { assets } from './pages/assets'
import { anyone } from './web/access'
import { answerPage, definePage } from './web/page'
import type { Visit } from './web/visit'

/** All that an application answers. */
export interface Answering {
  readonly endpoints: readonly Endpoint[]
  readonly routes: readonly Route[]
  /** Objects that have a name in the API's documentation. */
  readonly names: SchemaNames
  /** What is documented besides the endpoints. */
  readonly oauth: Section
  /** Paths where a wrong method is refused in a shape of their own. */
  readonly refusals: ReadonlyMap<string, (error: ApiError) => Response>
}

type ArrivalOf = (request: Request) => Arrival

/** The router: finds what answers a method and a path, and has an answer for whatever goes wrong. */
export function createRouter(deps: Deps, answering: Answering, arrivalOf: ArrivalOf): Elysia {
  // Without standardHostname a host of fewer than four letters would hide the path from the router.
  const router = new Elysia({ handler: { standardHostname: false }, normalize: false })
  const limits = createLimits(deps)
  // Before everything else: only what comes after it is caught by it.
  router.onError(({ error, code, request }) => {
    const arrival = arrivalOf(request)
    if (code !== 'NOT_FOUND') return failed(deps, error, arrival)
    const cause = wrongWay(router, request)
    const refuse = answering.refusals.get(pathOf(request.url).replace(/\/$/, ''))
    if (refuse !== undefined) return refuse(cause)
    if (!wantsPage(request)) return failed(deps, cause, arrival)
    return answerPage({ deps, request, params: {}, arrival, limits }, () => Promise.reject(cause))
  })
  const surroundings = { deps, limits, arrivalOf }
  addEndpoints(router, answering.endpoints, surroundings)
  addDocumentation(router, answering, surroundings)
  addRoutes(router, answering.routes, surroundings)
  addAssets(router)
  return router
}

/** Whether a person asked, by a browser, for something that programs do not use. */
const wantsPage = ({ url, headers }: Request) =>
  !pathOf(url).startsWith('/v1') && (headers.get('accept') ?? '').includes('text/html')

/** The one answer to a path or method that nobody declared. */
function wrongWay(router: Elysia, request: Request) {
  const methods = methodsByPath(router)(pathOf(request.url))
  return methods.length === 0 ? unknownRoute() : methodNotAllowed([...methods, 'OPTIONS'])
}

/** What everything that answers is given. */
interface Surroundings {
  readonly deps: Deps
  readonly limits: Limits | undefined
  readonly arrivalOf: ArrivalOf
}

function addEndpoints(
  router: Elysia,
  endpoints: readonly Endpoint[],
  { deps, limits, arrivalOf }: Surroundings,
) {
  const shared = createShared(deps, limits)
  const whole = new Set(endpoints.map(({ path }) => path))
  for (const endpoint of endpoints) {
    const { method, path } = endpoint
    const serve = ({ request, params }: { request: Request; params?: Record<string, string> }) => {
      // The router looks at one method at a time: where that has no such path, it takes a form the path has as well.
      if (path.includes(':') && whole.has(pathOf(request.url).replace(/\/$/, '')))
        throw wrongWay(router, request)
      return serveEndpoint(endpoint, shared, request, params, arrivalOf(request))
    }
    router.route(method, path, serve, { parse: 'none' })
    if (method === 'PATCH') router.route('PUT', path, serve, { parse: 'none' })
  }
}

function addDocumentation(router: Elysia, answering: Answering, surroundings: Surroundings): void {
  const { deps } = surroundings
  const { openapi, scripts, returned } = createDocumentation(
    answering,
    deps.config,
    basePathOf(deps.config.baseUrl),
  )
  const show = async ({ look }: Visit) => apiDocsPage(look, deps.config.baseUrl, await scripts())
  router.get('/openapi.json', openapi)
  addRoutes(router, [definePage({ path: '/docs', access: anyone, show })], surroundings)
  router.get(returnPath, returned)
  router.get(assetPaths.script, ({ request }) => apiPageAssets.script(request))
  router.get(assetPaths.returned, ({ request }) => apiPageAssets.returned(request))
  router.get(assetPaths.style, ({ request }) => apiPageAssets.style(request))
}

function addRoutes(router: Elysia, routes: readonly Route[], { deps, limits, arrivalOf }: Surroundings) {
  for (const { method, path, answer } of routes) {
    const serve = ({ request, params = {} }: { request: Request; params?: Record<string, string> }) =>
      answer({ deps, request, params, arrival: arrivalOf(request), limits })
    router.route(method, path, serve, { parse: 'none' })
  }
}

function addAssets(router: Elysia): void {
  for (const [path, asset] of Object.entries(assets)) router.get(path, asset)
}
