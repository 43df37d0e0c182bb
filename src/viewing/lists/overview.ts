import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { anyone, definePage } from '../../web/page'
import type { Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { findUser, isOwn, readerOf, robotsOf, type ShownUser, userPath } from '../parts/find-user'
import { firstWorks, listsOfUser, type ShownList } from './queries'

/** A user's lists, the one used last first: those that the reader may see (D88). */
export const listsPage = definePage({
  path: '/@:username/lists',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    const lists = await listsOfUser(visit.deps.seen, { user: user.id, reader: readerOf(visit), list: 0 })
    const works = await firstWorks(visit, lists, 4)
    const { t, basePath } = visit
    const rows = lists.map((list) => {
      const covers = (works.get(list.id) ?? []).map((work) => cover(visit, work, 56))
      return html`<li class="list" data-list="${list.id}"><div class="head"><h2><a href="${userPath(visit, user)}/lists/${list.id}">${list.name}</a></h2>${seenOf(visit, list)}</div>
        <p class="meta">${listFacts(visit, list)}</p><div class="fan">${covers}</div></li>`
    })
    const make = isOwn(visit, user)
      ? html`<a class="button outlined" href="${basePath}/lists/new">${icon('plus', 16)}${t.lists.make}</a>`
      : ''
    const main = html`${backTo(visit, user)}
      <div class="head"><h1>${t.lists.title} <small class="meta">${lists.length}</small></h1>${make}</div>
      ${rows.length === 0 ? noLists(visit, user) : html`<ul class="lists">${rows}</ul>`}`
    return { title: titleOf(visit, user), main, ...robotsOf(user), ...placeOf(visit, user) }
  },
})

const titleOf = (visit: Visit, user: ShownUser): string =>
  isOwn(visit, user) ? visit.t.lists.title : `${visit.t.lists.title} · ${user.name}`

export const placeOf = (visit: Visit, user: ShownUser): Pick<PageContent, 'place'> =>
  isOwn(visit, user) ? { place: 'library' } : {}

/** To one's own library, or the profile of somebody else. */
function backTo(visit: Visit, user: ShownUser): Markup {
  const [path, name] = isOwn(visit, user) ? ['/library/watching', visit.t.library.title] : ['', user.name]
  return html`<a class="back" href="${userPath(visit, user)}${path}">${icon('back', 16)}${name}</a>`
}

/** Nothing is said to visitors: they have watched nothing here. */
export function seenOf({ t, session }: Visit, { seen, works }: ShownList): Markup | '' {
  if (session === undefined || works === 0) return ''
  return seen === works
    ? html`<span class="status watched">${icon('watched', 14)}${t.lists.seen(seen, works)}</span>`
    : html`<span class="meta">${t.lists.seen(seen, works)}</span>`
}

export function listFacts({ t }: Visit, { works, is_ordered, visibility }: ShownList): Markup {
  const facts = [
    t.lists.works(works),
    ...(is_ordered === 1 ? [t.lists.ordered] : []),
    t.lists.visibility[visibility],
  ]
  return html`${visibility === 'private' ? icon('lock', 14) : ''}${facts.join(t.lists.between)}`
}

/** One's own: three names to begin with. */
function noLists(visit: Visit, user: ShownUser): Markup {
  const { t } = visit
  if (!isOwn(visit, user)) return html`<div class="nothing">${waves()}<h2>${t.lists.nothing}</h2></div>`
  const form = { act: 'list_create', path: '/lists' }
  const names = t.lists.suggestions.map((name) => html`<button name="name" value="${name}">${name}</button>`)
  return html`<div class="nothing">${waves()}<h2>${t.lists.nothing}</h2><p>${t.lists.nothingExplained}</p>${actForm(visit, form, html`<div class="buttons">${names}</div>`)}</div>`
}
