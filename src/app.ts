import { changeMe, me, nestedUser, users } from './accounts/users'
import { createShared, type Endpoint } from './api/endpoint'
import { knownAnswers } from './api/known-urls'
import type { SchemaNames } from './api/openapi/openapi'
import { v1 } from './api/v1'
import { casts } from './catalogue/casts'
import { character, characters } from './catalogue/characters'
import { episode, episodes } from './catalogue/episodes'
import { organization, organizations } from './catalogue/organizations'
import { people, person } from './catalogue/people'
import { series, seriesList } from './catalogue/series'
import { staffs } from './catalogue/staffs'
import { work, works } from './catalogue/works'
import { coverRoutes, pictureRoutes } from './covers/routes'
import { deliveryEndpoints } from './delivery/endpoints'
import type { Deps } from './deps'
import { docs, docsPage } from './docs/docs'
import { graphiqlPage } from './docs/graphiql-page'
import { graphql, graphqlPath } from './graphql/route'
import { type ApiError, onlyByPost } from './http/errors'
import { incoming, pathOf, requestIds } from './http/incoming'
import { otherMethods } from './http/other-methods'
import { files, programs } from './http/programs'
import type { Route, RouteContext } from './http/route'
import { createEdge, createServer, type Server } from './http/server'
import { basePathOf } from './lib/base-path'
import { inRequest } from './lib/current-request'
import { activities } from './library/activities'
import { createRecords } from './library/bulk-records'
import { myStatistics } from './library/counting/my-statistics'
import { deleteFeed, makeFeed, myFeeds } from './library/feed-commands'
import { followingActivities } from './library/following-activities'
import { startLap } from './library/laps'
import { myWorks } from './library/my-works'
import { addEpisode } from './library/next-episode'
import { createPast } from './library/past-command'
import { myPrograms } from './library/programs'
import { createRecord, deleteRecord, updateRecord } from './library/record-commands'
import { record, records } from './library/records'
import { createReview, deleteReview, updateReview } from './library/review-commands'
import { review, reviews } from './library/reviews'
import { dropSlot, mySlots, setSlot } from './library/showings/slot-commands'
import { setStatus } from './library/statuses'
import { createViewing, updateViewing } from './library/viewings'
import { refuseClientMethod } from './oauth/endpoint'
import { oauthSection } from './oauth/openapi'
import { isForClients, oauthPages, oauthRoutes } from './oauth/routes'
import { assets } from './pages/assets'
import {
  decideSeries,
  myDeliveries,
  myInbox,
  repeatDelivery,
  undoOneDelivery,
} from './scrobble/api/deliveries'
import { addHook, deleteHook, myHooks, undoPlays, updateHook } from './scrobble/api/hooks'
import { scrobble } from './scrobble/api/scrobble'
import { hookAlive, hookReport } from './scrobble/hook-route'
import { healthRoutes } from './site/health'
import { atRoot } from './site/robots'
import { siteRoutes } from './site/routes'
import { chooseChannel, dropChannel, myChannels } from './social/channels'
import { commentEndpoints } from './social/comments/comments'
import { connectionEndpoints } from './social/connections'
import { addFavorite, removeFavorite } from './social/favorites'
import { followRequestEndpoints } from './social/follow-requests'
import { followers, following } from './social/follows'
import { likeEndpoints } from './social/likes'
import { listEndpoints } from './social/lists/list-commands'
import { notificationEndpoints } from './social/notifications'
import { reportCommand } from './social/reports'
import { createImport } from './transfer/api/create-import'
import {
  applyImport,
  cancelImport,
  deleteImport,
  myImport,
  myImports,
  undoImport,
  updateImport,
} from './transfer/api/imports'
import { importRest } from './transfer/api/rest'
import { decideRow, importRows } from './transfer/api/rows'
import { toastOf } from './viewing/acts/toast'
import { feedRoutes } from './viewing/feeds/route'
import { viewingRoutes } from './viewing/routes'
import { answerVisit, pages } from './web/pages'
import { openVisit } from './web/visit'

/** Every endpoint of `/v1`. Add new ones here. */
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
  changeMe,
  followers,
  following,
  records,
  ...[createRecord, updateRecord, deleteRecord, createRecords, createPast],
  addEpisode,
  startLap,
  reviews,
  createReview,
  updateReview,
  createViewing,
  updateViewing,
  deleteReview,
  activities,
  followingActivities,
  myWorks,
  myStatistics,
  setStatus,
  myPrograms,
  mySlots,
  setSlot,
  dropSlot,
  ...[myFeeds, makeFeed, deleteFeed],
  myChannels,
  chooseChannel,
  dropChannel,
  ...likeEndpoints,
  ...commentEndpoints,
  ...listEndpoints,
  ...connectionEndpoints,
  ...followRequestEndpoints,
  reportCommand,
  addFavorite,
  removeFavorite,
  ...notificationEndpoints,
  myImports,
  createImport,
  myImport,
  updateImport,
  importRows,
  decideRow,
  importRest,
  applyImport,
  undoImport,
  cancelImport,
  deleteImport,
  scrobble,
  ...deliveryEndpoints,
  ...[addHook, myHooks, updateHook, deleteHook, undoPlays],
  myDeliveries,
  undoOneDelivery,
  repeatDelivery,
  myInbox,
  decideSeries,
]

const names: SchemaNames = [
  work,
  episode,
  series,
  character,
  person,
  organization,
  record,
  review,
  nestedUser,
]

export interface App {
  /** `peer` is the remote address. Never throws. */
  handle(request: Request, peer: string): Promise<Response>
}

export const routes: readonly Pick<Route, 'method' | 'path'>[] = [
  ...viewingRoutes,
  ...coverRoutes,
  ...siteRoutes,
  ...oauthPages,
  ...oauthRoutes,
  ...healthRoutes,
  hookAlive,
  hookReport,
  ...atRoot,
  ...feedRoutes,
]

/** Opens no file or connection, and starts nothing. */
export function createApp(deps: Deps): App {
  const shared = createShared(deps)
  const edge = createEdge(deps)
  const server = serverOf(deps, shared, edge)
  const prefix = basePathOf(deps.config.baseUrl)
  const idOf = requestIds(deps.random)
  const answerKnown = knownAnswers(shared, edge)
  return {
    handle: async (request, address) => {
      const peer = edge.peer(address)
      const id = idOf(request, peer)
      const known = peer.isTrusted ? undefined : answerKnown(request, { id, peer: peer.address })
      return known ?? inRequest(id, () => server.fetch(incoming(request, { peer: address, id }, prefix)))
    },
  }
}

export function serverOf(deps: Deps, shared = createShared(deps), edge = createEdge(deps)): Server {
  return createServer(deps, edge)
    .use(v1(shared, endpoints, names))
    .use(graphql(shared))
    .use(
      pages(
        deps,
        [...viewingRoutes, ...coverRoutes, ...oauthPages, ...siteRoutes, docsPage, graphiqlPage],
        toastOf,
      ),
    )
    .use(
      programs(deps, [
        ...oauthRoutes,
        ...healthRoutes,
        ...feedRoutes,
        hookAlive,
        hookReport,
        ...files([...atRoot, ...pictureRoutes, ...assetRoutes]),
      ]),
    )
    .use(docs(deps, { names, oauth: oauthSection }))
    .use(otherMethods(deps, refuse, { [graphqlPath]: ['POST'] }))
}

const assetRoutes = Object.entries(assets).map(
  ([path, answer]): Route => ({
    method: 'GET',
    path,
    answer: ({ request }) => answer(request),
  }),
)

/** API clients get the error format, browsers a page. */
async function refuse(cause: ApiError, route: RouteContext): Promise<Response> {
  const path = pathOf(route.request.url)
  if (isForClients(path)) return refuseClientMethod(cause)
  if (path === graphqlPath && cause.type === 'method_not_allowed') return onlyByPost()
  if (path.startsWith('/v1') || path === graphqlPath || !acceptsPage(route.request)) throw cause
  return answerVisit(await openVisit(route), () => Promise.reject(cause), toastOf)
}

const acceptsPage = ({ headers }: Request) => (headers.get('accept') ?? '').includes('text/html')
