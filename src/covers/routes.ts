import { notFound } from '../http/errors'
import type { Route } from '../http/route'
import { tintOf } from '../pages/avatar'
import { below, type PageRoute } from '../web/page'
import { imageRoute } from './images/image-route'
import { oneOf } from './made/choice'
import { gothic } from './made/made-cover'
import { palettes } from './made/palettes'
import { forEver, madeCoverRoute } from './made-cover-route'
import { avatarPages } from './pages/avatar'
import { coverPages, sharedCoverPages } from './pages/cover'

/** An initial for users without a picture. Made from the username alone, so it does not reveal who is a member (D64). */
const avatarRoute: Route = {
  method: 'GET',
  path: '/avatars/:file',
  answer: ({ params }) => {
    const [, username] = /^([A-Za-z0-9_]{1,20})\.svg$/.exec(params.file ?? '') ?? []
    if (username === undefined) throw notFound('The avatar')
    const headers = { 'Content-Type': 'image/svg+xml; charset=utf-8', 'Cache-Control': forEver }
    return new Response(madeAvatar(username), { headers })
  },
}

/** The pictures themselves, which need no session. */
export const pictureRoutes: readonly Route[] = [madeCoverRoute, imageRoute, avatarRoute]

/** `username` contains no characters that are special in XML. */
function madeAvatar(username: string): string {
  const { ground } = oneOf(grounds, tintOf(username))
  const initial = username.charAt(0).toUpperCase()
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" fill="${ground}"/><text x="48" y="64" font-family="${gothic}" font-size="44" font-weight="600" text-anchor="middle" fill="#f7f2e6">${initial}</text></svg>`
}

/** The same tints as in the style sheet. */
const grounds = [3, 12, 6, 15, 21, 5].map((number) => oneOf(palettes, number))

export const coverRoutes: readonly PageRoute[] = [
  ...coverPages,
  ...sharedCoverPages,
  ...below({ path: '/settings', name: (t) => t.settings.title, place: 'me' }, avatarPages),
]
