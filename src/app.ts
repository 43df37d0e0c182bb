import { Elysia } from 'elysia'
import { me } from './accounts/me'
import { nestedUser, users } from './accounts/users'
import { casts } from './catalogue/casts'
import { character, characters } from './catalogue/characters'
import { episode, episodes } from './catalogue/episodes'
import { organization, organizations } from './catalogue/organizations'
import { people, person } from './catalogue/people'
import { series, seriesList } from './catalogue/series'
import { staffs } from './catalogue/staffs'
import { work, works } from './catalogue/works'
import type { Deps } from './deps'
import { assetPaths } from './docs/api-page'
import { apiPageAssets } from './docs/assets'
import { createDocumentation, schemaNames } from './docs/documentation'
import { type Arrival, createEdge, failed, pathOf } from './http/edge'
import { createShared, type Endpoint, serveEndpoint } from './http/endpoint'
import { jsonHeaders, methodNotAllowed, unknownRoute } from './http/errors'
import { createLimits, type Limits } from './http/rate-limit'
import type { Route } from './http/route'
import { methodsByPath } from './http/routes'
import { basePathOf } from './lib/base-path'
import { activities } from './library/activities'
import { createRecords } from './library/bulk-records'
import { followingActivities } from './library/following-activities'
import { myWorks } from './library/my-works'
import { myPrograms } from './library/programs'
import { createRecord, deleteRecord, updateRecord } from './library/record-commands'
import { record, records } from './library/records'
import { createReview, deleteReview, updateReview } from './library/review-commands'
import { review, reviews } from './library/reviews'
import { setStatus } from './library/statuses'
import { assets } from './pages/assets'
import { admin } from './site/admin'
import { adminInvitations, withdraw } from './site/admin-invitations'
import { adminUserActions } from './site/admin-user'
import { adminUsers } from './site/admin-users'
import { confirm } from './site/confirm'
import { email, emailConfirmation } from './site/email'
import { language } from './site/language'
import { password } from './site/password'
import { about, errors, home } from './site/public'
import { reset, resetRequest } from './site/reset-password'
import { setup } from './site/setup'
import { signIn } from './site/sign-in'
import { signOut } from './site/sign-out'
import { signUp, signUpAtAddress } from './site/sign-up'
import { chooseChannel, dropChannel, myChannels } from './social/channels'
import { addFavorite, removeFavorite } from './social/favorites'
import { follow, unfollow } from './social/follow-commands'
import { followers, following } from './social/follows'
import { like, unlike } from './social/likes'
import { mute, unmute } from './social/mute-commands'
import { myNotifications, readNotifications } from './social/notifications'

/** Every endpoint of `/v1`: a new one is declared in its own file and named here. */
export const endpoints: readonly Endpoint[] = [
  works,
  episodes,
  seriesList,
  characters,
  people,
  organizations,
  staffs,
  casts,
  users,
  me,
  followers,
  following,
  records,
  createRecord,
  updateRecord,
  deleteRecord,
  createRecords,
  reviews,
  createReview,
  updateReview,
  deleteReview,
  activities,
  followingActivities,
  myWorks,
  setStatus,
  myPrograms,
  myChannels,
  chooseChannel,
  dropChannel,
  like,
  unlike,
  follow,
  unfollow,
  mute,
  unmute,
  addFavorite,
  removeFavorite,
  myNotifications,
  readNotifications,
]

/** Everything else that answers: pages, their forms, OAuth. */
export const routes: readonly Route[] = [
  home,
  about,
  errors,
  ...language,
  ...setup,
  ...signUp,
  ...signUpAtAddress,
  ...signIn,
  signOut,
  ...confirm,
  ...resetRequest,
  ...reset,
  ...password,
  ...email,
  ...emailConfirmation,
  admin,
  adminUsers,
  ...adminUserActions,
  ...adminInvitations,
  withdraw,
]

/** Objects that have a name in the API's documentation. */
const names = schemaNames([
  work,
  episode,
  series,
  character,
  person,
  organization,
  record,
  review,
  nestedUser,
])

/** A running application: what it answers to a request from an address. Never throws. */
export interface App {
  handle(request: Request, peer: string): Promise<Response>
}

/** Puts the application together. Opens nothing and starts nothing. */
export function createApp(deps: Deps): App {
  const arrivals = new WeakMap<Request, Arrival>()
  const router = createRouter(deps, (request) => arrivals.get(request) ?? { id: '', peer: '' })
  const handle = createEdge(deps, {
    methodsOf: methodsByPath(router),
    answer: async (request, arrival) => {
      arrivals.set(request, arrival)
      return router.fetch(request)
    },
  })
  return { handle }
}

type ArrivalOf = (request: Request) => Arrival

function createRouter(deps: Deps, arrivalOf: ArrivalOf) {
  // Without standardHostname a host of fewer than four letters would hide the path from the router.
  const router = new Elysia({ handler: { standardHostname: false }, normalize: false })
  // Before everything else: only what comes after it is caught by it.
  router.onError(({ error, code, request }) => {
    const cause = code === 'NOT_FOUND' ? wrongWay(router, request) : error
    return failed(deps, cause, arrivalOf(request))
  })
  const limits = createLimits(deps)
  addEndpoints(router, deps, limits, arrivalOf)
  addDocumentation(router, deps)
  addRoutes(router, deps, limits, arrivalOf)
  addAssets(router)
  return router
}

/** The one answer to a path or method that nobody declared. */
function wrongWay(router: Elysia, request: Request) {
  const methods = methodsByPath(router)(pathOf(request.url))
  return methods.length === 0 ? unknownRoute() : methodNotAllowed([...methods, 'OPTIONS'])
}

function addEndpoints(router: Elysia, deps: Deps, limits: Limits | undefined, arrivalOf: ArrivalOf): void {
  const shared = createShared(deps, limits)
  for (const endpoint of endpoints) {
    const serve = ({ request, params }: { request: Request; params?: Record<string, string> }) =>
      serveEndpoint(endpoint, shared, request, params, arrivalOf(request).peer)
    const { method, path } = endpoint
    router.route(method, path, serve, { parse: 'none' })
    if (method === 'PATCH') router.route('PUT', path, serve, { parse: 'none' })
  }
}

function addDocumentation(router: Elysia, deps: Deps): void {
  const { openapi, page } = createDocumentation(
    endpoints,
    names,
    deps.config,
    basePathOf(deps.config.baseUrl),
  )
  router.get('/openapi.json', openapi)
  router.get('/docs', page)
  router.get(assetPaths.script, ({ request }) => apiPageAssets.script(request))
  router.get(assetPaths.style, ({ request }) => apiPageAssets.style(request))
}

function addRoutes(router: Elysia, deps: Deps, limits: Limits | undefined, arrivalOf: ArrivalOf): void {
  for (const { method, path, answer } of routes) {
    const serve = ({ request, params = {} }: { request: Request; params?: Record<string, string> }) =>
      answer({ deps, request, params, arrival: arrivalOf(request), limits })
    router.route(method, path, serve, { parse: 'none' })
  }
}

function addAssets(router: Elysia): void {
  router.get('/livez', () => new Response('{"status":"ok"}', { headers: jsonHeaders }))
  for (const [path, asset] of Object.entries(assets)) router.get(path, asset)
}
