import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { longestListName } from '../../social/lists/write-list'
import { definePage, member } from '../../web/page'
import { returnTarget, safeReturn } from '../../web/return-to'
import { type MemberVisit, queryText, type Visit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover } from '../parts/cover'
import { findWork } from '../work/view'
import { firstWorks, listsOfUser, listUsedLast, placesOfWork, type ShownList } from './queries'

/** Puts a work into lists of one's own, and takes it out: each press at once. `return_to`: the page to return to. */
export const addToListPage = definePage({
  path: '/works/:id/lists',
  access: member,
  show: async (visit): Promise<PageContent> => {
    const { deps, session, t } = visit
    const work = await findWork(visit)
    const user = session.userId
    const lists = await listsOfUser(deps.seen, { user, reader: user, list: 0 })
    const places = await placesOfWork(deps.seen, { user, work: work.id })
    const nthIn = new Map(places.map(({ list_id, nth }) => [list_id, nth]))
    const covers = await firstWorks(visit, lists, 3)
    const asked = queryText(visit, 'return_to')
    const returnTo = asked === '' ? `/works/${work.id}` : safeReturn(asked, deps.config.baseUrl)
    const rows = lists.map((list) => {
      const fan = (covers.get(list.id) ?? []).map((one) => cover(visit, one, 26))
      return listRow(visit, { list, workId: work.id, nth: nthIn.get(list.id), returnTo, fan })
    })
    const make = html`<input name="name" required maxlength="${longestListName}" aria-label="${t.lists.newName}" placeholder="${t.lists.newName}" /><button class="outlined">${t.lists.makeShort}</button>`
    const suggested = t.lists.suggestions.map(
      (name) => html`<button name="name" value="${name}">${name}</button>`,
    )
    const form = { act: 'list_create', path: '/lists', fields: { work_id: work.id }, returnTo }
    const main = html`<div class="add-to-list narrow"><div class="subject">${cover(visit, work, 40)}<div><h1>${t.lists.addTo}</h1>${titleMarkup(visit, work)}</div></div>
      ${rows.length === 0 ? actForm(visit, form, html`<div class="buttons">${suggested}</div>`) : html`<ul class="rows">${rows}</ul>`}
      ${actForm(visit, form, html`<div class="new-list">${make}</div>`)}</div>`
    return { title: `${t.lists.addTo} · ${chosenTitle(visit, work).text}`, main, place: 'find' }
  },
})

interface ListChoice {
  readonly list: ShownList
  readonly workId: number
  /** Its place in the list; undefined if it is not there. */
  readonly nth: number | undefined
  readonly returnTo: string
  readonly fan: readonly Markup[]
}

function listRow(visit: MemberVisit, { list, workId, nth, returnTo, fan }: ListChoice): Markup {
  const { t } = visit
  const has = nth !== undefined
  const form = {
    ...(has ? { act: 'list_remove', path: '/lists/remove' } : { act: 'list_add', path: '/lists/add' }),
    ...{ fields: { list_id: list.id, work_id: workId }, subject: list.name, returnTo },
  }
  const where = has ? t.lists.isAt(nth) : ''
  const facts = [t.lists.works(list.works), where].filter((fact) => fact !== '').join(t.lists.between)
  return html`<li class="row" data-list="${list.id}">${actForm(
    visit,
    form,
    html`<button aria-pressed="${String(has)}"><span class="fan">${fan}</span><span class="text"><b>${list.name}</b><span class="meta">${list.visibility === 'private' ? icon('lock', 14) : ''}${facts}</span></span><span class="box-mark">${has ? icon('check', 16) : ''}</span></button>`,
  )}</li>`
}

/** Opens the lists over a row of another page. */
export function toListLink(visit: Visit, workId: number, title: string): Markup | '' {
  const { t, session, basePath } = visit
  if (session === undefined) return ''
  return html`<a class="button small quiet to-list" href="${basePath}/works/${workId}/lists?return_to=${returnTarget(visit)}" data-dialog data-keys="a" aria-label="${t.lists.addTo}${t.common.colon}${title}" title="${t.lists.addTo}">${icon('lines', 16)}</a>`
}

/** Two entries of ⋯ on the page of a work: the list used last takes one press more, any list two. */
export async function listEntries(visit: Visit, workId: number, swap: string): Promise<Markup | ''> {
  const { t, basePath, session } = visit
  if (session === undefined) return ''
  const [last] = await listUsedLast(visit.deps.seen, { user: session.userId, work: workId })
  const form = {
    act: 'list_add',
    path: '/lists/add',
    fields: { list_id: last?.id ?? 0, work_id: workId },
    swap,
  }
  const toLast =
    last === undefined || last.has === 1
      ? ''
      : actForm(
          visit,
          { ...form, subject: last.name },
          html`<button>${icon('plus')}${t.lists.addToThis(last.name)}</button>`,
        )
  return html`<a href="${basePath}/works/${workId}/lists?return_to=${returnTarget(visit)}" data-dialog data-keys="a">${icon('lines')}${t.lists.addTo}…</a>${toLast}`
}
