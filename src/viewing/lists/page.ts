import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { anyone, definePage } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { actForm, actsByKey } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { isOwn, readerOf, robotsOf, userPath } from '../parts/find-user'
import { linkPreview } from '../parts/link-preview'
import { pageLinks, pageNumber } from '../parts/page-links'
import { ratingMark } from '../parts/rating'
import { seasonName } from '../parts/season'
import { statusMark } from '../parts/status'
import { mediumName } from '../work/facts'
import { listFacts, placeOf, seenOf } from './overview'
import { type FoundList, findList, firstWorks, type ListedWorkRow, worksInList } from './queries'

/** Some 0.6 KB each, of the 50 KB that a page may have (D121). */
const atOnce = 60

/** A list of works (D88). `?status=unseen`: those alone that the reader has not watched. */
export const listPage = definePage({
  path: '/@:username/lists/:id',
  access: anyone,
  show: async (visit): Promise<PageContent> => {
    const found = await findList(visit)
    const { user, list } = found
    const unseen = Number(queryText(visit, 'status') === 'unseen' && visit.session !== undefined)
    const total = unseen === 1 ? list.works - list.seen : list.works
    const pages = Math.ceil(total / atOnce)
    const page = pageNumber(queryText(visit, 'page'), pages)
    const range = { limit: atOnce, offset: (page - 1) * atOnce }
    const rows = await worksInList(visit.deps.seen, {
      list: list.id,
      reader: readerOf(visit),
      unseen,
      ...range,
    })
    const path = `${userPath(visit, user)}/lists/${list.id}${unseen === 1 ? '?status=unseen' : ''}`
    const shown = rows.map((row) => workRow(visit, row, list.is_ordered === 1))
    const main = html`<a class="back" href="${userPath(visit, user)}/lists">${icon('back', 16)}${visit.t.lists.title}</a>
      ${await listHead(visit, found)}${filter(visit, found, unseen === 1)}
      ${rows.length === 0 ? nothing(visit, found) : html`${formsOfRows(visit)}<ol class="rows in-list">${shown}</ol>`}
      ${pageLinks(visit, path, { page, pages })}`
    const head = linkPreview(visit, {
      ...{ title: list.name, description: list.text || visit.t.lists.works(list.works), type: 'website' },
      path: `/@${user.username}/lists/${list.id}`,
    })
    return { title: list.name, main, ...robotsOf(user), ...placeOf(visit, user), head }
  },
})

async function listHead(visit: Visit, found: FoundList): Promise<Markup> {
  const { t } = visit
  const { user, list } = found
  const covers = (await firstWorks(visit, [list], 6)).get(list.id) ?? []
  const day = formatDay(visit, readerTime(visit, list.updated_at).dayNumber, 'day')
  const mosaic =
    covers.length === 0 ? '' : html`<div class="mosaic">${covers.map((work) => cover(visit, work, 56))}</div>`
  return html`<div class="list-head">${mosaic}<div class="names"><h1>${list.name}</h1>
    <p class="meta"><a href="${userPath(visit, user)}">${t.lists.by(user.name)}</a>${t.lists.between}${listFacts(visit, list)}${t.lists.between}${t.lists.updated(day)}</p>
    ${list.text === '' ? '' : html`<p class="comment">${list.text}</p>`}${seenOf(visit, list)}</div>
    <div class="buttons">${await headActs(visit, found)}</div></div>`
}

async function headActs(visit: Visit, { user, list }: FoundList): Promise<Markup | ''> {
  const { t, session } = visit
  if (session === undefined) return ''
  const fields = { list_id: list.id }
  const path = `${userPath(visit, user)}/lists/${list.id}`
  const returnTo = `/@${session.username}/lists`
  const copied = { ...fields, name: list.name, text: list.text, is_ordered: list.is_ordered === 1 ? '1' : '' }
  const copy = actForm(
    visit,
    { act: 'list_copy', path: '/lists/copy', fields: copied, returnTo },
    html`<button${isOwn(visit, user) ? '' : html` class="small"`}>${isOwn(visit, user) ? t.lists.copyOwn : t.lists.copy}</button>`,
  )
  if (!isOwn(visit, user)) return copy
  const drop = actForm(
    visit,
    { act: 'list_delete', path: '/lists/delete', fields, returnTo },
    html`<button class="danger">${t.lists.delete(list.name)}</button>`,
  )
  return html`<a class="button outlined small" href="${path}/edit">${icon('pen', 16)}${t.common.edit}</a><details class="menu" name="menu"><summary class="button small" aria-label="${t.lists.menuOf(list.name)}">${icon('more')}</summary><div class="entries">${copy}<hr />${drop}</div></details>`
}

/** Only where both would show something. */
function filter(visit: Visit, { user, list }: FoundList, isUnseen: boolean): Markup | '' {
  const { t, session } = visit
  if (session === undefined || list.seen === 0 || (list.seen === list.works && !isUnseen)) return ''
  const path = `${userPath(visit, user)}/lists/${list.id}`
  const link = (isOn: boolean, target: string, words: string) =>
    html`<a href="${target}"${isOn ? html` aria-current="true"` : ''}>${words}</a>`
  return html`<nav class="segments" aria-label="${t.common.view}">${link(!isUnseen, path, t.common.all)}${link(isUnseen, `${path}?status=unseen`, t.lists.unseen)}</nav>`
}

function workRow(visit: Visit, work: ListedWorkRow, isOrdered: boolean): Markup {
  const { t } = visit
  const nth = isOrdered ? html`<span class="nth">${work.nth}</span>` : ''
  const note = work.note === '' ? '' : html`<p class="comment">${work.note}</p>`
  // Its owner alone sees what the catalogue hides.
  if (work.hidden !== 0)
    return html`<li class="row dimmed" id="row-${work.id}">${nth}${cover(visit, work, 56)}<div class="text">${titleMarkup(visit, work)}<p class="meta">${t.lists.hidden}</p>${note}</div></li>`
  return html`<li class="row" id="row-${work.id}" data-work="${work.id}">${nth}${cover(visit, work, 56)}
    <div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><p class="meta">${factsOf(visit, work)}</p>${note}</div>
    <div class="mine">${mine(visit, work)}</div></li>`
}

/** 2018年冬 · TV · 13話 */
export function factsOf(visit: Visit, work: ListedWorkRow): string {
  const count =
    work.no_episodes === 1 || work.episodes_count === 0 ? '' : visit.t.search.episodes(work.episodes_count)
  return [seasonName(visit, work), mediumName(visit, work.media), count]
    .filter((fact) => fact !== '')
    .join(' · ')
}

/** What the reader has of it, or one press to plan or begin it. */
function mine(visit: Visit, work: ListedWorkRow): Markup | '' {
  const { t, session } = visit
  if (session === undefined) return ''
  const button = (kind: 'wanna_watch' | 'watching') =>
    html`<button class="outlined small" form="${kind}" name="work_id" value="${work.id}" data-focus="${kind}-${work.id}" aria-label="${t.statuses.setTo(chosenTitle(visit, work).text, t.statuses[kind])}">＋ ${t.statuses[kind]}</button>`
  if (work.kind === null) return button('wanna_watch')
  const isPlanned = work.kind === 'wanna_watch' && work.no_episodes === 0
  return html`${statusMark(t, work.kind)}${ratingMark(visit, work)}${isPlanned ? button('watching') : ''}`
}

/** The forms of these buttons and of keys, once for all rows: in each row they would be half of the page. */
function formsOfRows(visit: Visit): Markup | '' {
  if (visit.session === undefined) return ''
  const forms = (['wanna_watch', 'watching'] as const).map((kind) =>
    actForm(
      visit,
      { act: 'status', path: '/status', fields: { kind }, id: kind, swap: '.in-list, .list-head' },
      html``,
    ),
  )
  return html`${actsByKey(visit)}<div data-for-row hidden>${forms}</div>`
}

/** The owner looks for a first work. */
function nothing(visit: Visit, { user, list }: FoundList): Markup {
  const { t, basePath } = visit
  const find =
    isOwn(visit, user) && list.works === 0
      ? html`<form method="get" action="${basePath}/search" class="narrow"><input type="search" name="q" required maxlength="200" aria-label="${t.lists.find}" placeholder="${t.lists.find}" /></form>`
      : ''
  return html`<div class="nothing">${waves()}<h2>${list.works === 0 ? t.lists.empty : t.lists.allSeen}</h2>${find}</div>`
}
