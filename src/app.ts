import { me } from './accounts/me'
import { nestedUser, users } from './accounts/users'
import type { Endpoint } from './api/endpoint'
import { casts } from './catalogue/casts'
import { character, characters } from './catalogue/characters'
import { episode, episodes } from './catalogue/episodes'
import { organization, organizations } from './catalogue/organizations'
import { people, person } from './catalogue/people'
import { series, seriesList } from './catalogue/series'
import { staffs } from './catalogue/staffs'
import { work, works } from './catalogue/works'
import type { Deps } from './deps'
import { schemaNames } from './docs/documentation'
import { watchClock } from './http/clock-watch'
import { type Arrival, createEdge } from './http/edge'
import type { Route } from './http/route'
import { methodsByPath } from './http/routes'
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
import { oauthSection } from './oauth/openapi'
import { oauthRefusals, oauthRoutes } from './oauth/routes'
import { createRouter } from './router'
import { siteRoutes } from './site/routes'
import { chooseChannel, dropChannel, myChannels } from './social/channels'
import { follow, mute, unfollow, unmute } from './social/connections'
import { addFavorite, removeFavorite } from './social/favorites'
import { followers, following } from './social/follows'
import { like, unlike } from './social/likes'
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

/** Everything else that answers: pages and their forms, OAuth. */
export const routes: readonly Route[] = [...siteRoutes, ...oauthRoutes]

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
  const arrivalOf = (request: Request) => arrivals.get(request) ?? { id: '', peer: '', caller: {} }
  const answering = { endpoints, routes, names, oauth: oauthSection, refusals: oauthRefusals }
  const noticeSetBack = watchClock(deps)
  const router = createRouter(deps, answering, arrivalOf)
  const handle = createEdge(deps, {
    methodsOf: methodsByPath(router),
    answer: async (request, arrival) => {
      noticeSetBack()
      arrivals.set(request, arrival)
      return router.fetch(request)
    },
  })
  return { handle }
}
