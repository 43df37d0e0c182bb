import type { Route } from '../http/route'
import { below } from '../web/back'
import type { PageRoute } from '../web/page'
import { avatarRoute } from './avatar-route'
import { imageRoute } from './images/image-route'
import { madeCoverRoute } from './made-cover-route'
import { avatarPages } from './pages/avatar'
import { coverPages, sharedCoverPages } from './pages/cover'

/** The pictures themselves, which need no session. */
export const pictureRoutes: readonly Route[] = [madeCoverRoute, imageRoute, avatarRoute]

export const coverRoutes: readonly PageRoute[] = [
  ...coverPages,
  ...sharedCoverPages,
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, avatarPages),
]
