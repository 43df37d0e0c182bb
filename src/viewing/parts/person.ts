import { type PicturedUser, userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'

/** Avatar and name, which lead to the profile. */
export const personLink = (pageContext: PageContext, user: PicturedUser): Markup =>
  html`<a class="person" href="${pageContext.basePath}/@${user.username}">${userAvatar(pageContext, user, 28)}<b>${user.username}</b></a>`
