import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import type { Visit } from '../../web/visit'
import type { Marker } from './marked'
import type { FoundName, FoundUser } from './queries'

/** A character, a person or an organization. */
export function nameRow({ pageContext: { t } }: Visit, found: FoundName, marker: Marker): Markup {
  const { name, name_kana, name_en, series, credits } = found
  const other = marker.isIn(name) ? undefined : [name_en, name_kana].find(marker.isIn)
  return html`<li class="row" data-found="${found.id}"><div class="text">
      <span class="name" lang="ja">${marker.mark(name)}</span>
      ${other === undefined ? '' : html`<p class="meta other">${marker.mark(other)}</p>`}
      ${series === '' ? '' : html`<p class="meta" lang="ja">${series}</p>`}
      ${credits === 0 ? '' : html`<p class="meta">${t.search.credits(credits)}</p>`}
    </div></li>`
}

export function userRow({ pageContext }: Visit, user: FoundUser, marker: Marker): Markup {
  const { id, username, name } = user
  return html`<li class="row" data-found="${id}">${userAvatar(pageContext, user)}<div class="text">
      <a class="name" href="${pageContext.basePath}/@${username}">${marker.mark(name === '' ? username : name)}</a>
      <p class="meta">@${marker.mark(username)}</p>
    </div></li>`
}
