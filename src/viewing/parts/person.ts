import { avatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { PageContext } from '../../pages/layout'

/** Avatar and name, which lead to the profile. */
export const personLink = ({ basePath }: PageContext, username: string): Markup =>
  html`<a class="person" href="${basePath}/@${username}">${avatar(username, 28)}<b>${username}</b></a>`
