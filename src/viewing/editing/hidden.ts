import { sql } from 'kysely'
import { CatalogueChange } from '../../catalogue/edit/change'
import { byHand } from '../../catalogue/import/source'
import { handleOf } from '../../db/dialect'
import { preparedSql } from '../../db/prepared'
import { html, type Markup } from '../../pages/html'
import { chosenTitle, type Titles } from '../../pages/title'
import { positiveInteger } from '../../values/number'
import { readIfValid } from '../../values/value'
import { linesField } from '../../web/fields'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { definePage, editor, type PageRoute, seeOther } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { nextLink } from '../parts/page-links'
import { findWork } from '../work/view'
import { backToWork } from './head'

const path = '/catalogue/hidden'
const pageSize = 50

/** Takes a work out of the catalogue, and shows it again; none is ever deleted (D42). */
export const hidingPages: readonly PageRoute[] = [
  ...defineForm({
    path: '/works/:id/hide',
    access: editor,
    act: 'hide_work',
    fields: { reason: linesField({ label: (t) => t.editing.reason, limit: 1000 }) },
    button: (t) => t.editing.hide,
    isDestructive: true,
    show: async (visit, form) => {
      const work = await findWork(visit)
      const title = visit.t.editing.hideTitle(chosenTitle(visit, work).text)
      const main = html`<div class="narrow"><h1>${title}</h1><p>${visit.t.editing.hideExplained}</p>${form}</div>`
      return { title, main, place: 'find', back: backToWork(visit, work) }
    },
    submit: async (visit, { reason }) => {
      const { id } = await findWork(visit)
      return await setHidden(visit, id, { isHidden: true, reason })
    },
  }),
  defineAction({
    path: '/works/:id/show',
    access: editor,
    run: (visit) => setHidden(visit, pathId(visit), { isHidden: false, reason: '' }),
  }),
  definePage({
    path,
    access: editor,
    show: async (visit) => {
      const { t, deps, basePath } = visit
      const before = readIfValid(positiveInteger, queryText(visit, 'before')) ?? Number.MAX_SAFE_INTEGER
      const found = await hiddenWorks(deps.read, { before, limit: pageSize + 1 })
      const rows = found.slice(0, pageSize).map((work) => row(visit, work))
      const next = `${basePath}${path}?before=${found[pageSize - 1]?.id ?? 0}`
      const more = found.length > pageSize ? nextLink(next, t.common.next) : ''
      const list =
        rows.length === 0
          ? html`<p class="soft">${t.editing.noneHidden}</p>`
          : html`<ul class="rows">${rows}</ul>`
      return {
        title: t.editing.hiddenWorks,
        main: html`<h1>${t.editing.hiddenWorks}</h1>${list}${more}`,
        place: 'find',
      }
    },
  }),
]

async function setHidden(
  visit: MemberVisit,
  work: number,
  { isHidden, reason }: { readonly isHidden: boolean; readonly reason: string },
): Promise<Response> {
  const { deps, session } = visit
  const id = await deps.write(async (tx) => {
    const about = { work, user: session.userId, reason, now: deps.now() }
    const change = new CatalogueChange(handleOf(tx), { ...about, kind: isHidden ? 'hide' : 'show' })
    // What was merged into another stays that.
    const isMerged = (await survivorOf(tx, { id: work })).length > 0
    if (isMerged || !change.has('work', work)) throw pageNotFound()
    change.setHidden('work', work, isHidden)
    return change.save()
  })
  setFlash(visit, id === undefined ? 'unedited' : 'edited', id)
  return seeOther(visit, path)
}

const survivorOf = preparedSql<{ to_id: number }, { id: number }>(
  (slot) => sql`select to_id from redirects where kind = 'work' and from_id = ${slot('id')}`,
)

interface HiddenWork extends Titles {
  readonly id: number
  readonly reason: string | null
}

const isByHand = sql`owners ->> '$.hidden' = ${sql.lit(byHand)}`

const lastReason = sql`(
      select reason from catalogue_changes where work_id = works.id and kind = 'hide' order by id desc limit 1)`

/** Why an editor took a work out; none if a source did. Uses catalogue_changes_work. */
export const whyHidden = preparedSql<{ reason: string }, { work: number }>(
  (slot) => sql`
    select ifnull(${lastReason}, '') as reason from works where id = ${slot('work')} and hidden <> 0 and ${isByHand}`,
)

/** By hand, newest first. Uses works_hidden and catalogue_changes_work. */
const hiddenWorks = preparedSql<HiddenWork, { before: number; limit: number }>(
  (slot) => sql`
    select id, title, title_en, title_ro, ${lastReason} as reason
    from works where hidden <> 0 and ${isByHand} and id < ${slot('before')}
      and not exists (select 1 from redirects where kind = 'work' and from_id = works.id)
    order by id desc limit ${slot('limit')}`,
)

const row = (visit: MemberVisit, work: HiddenWork): Markup =>
  html`<li class="row" data-work="${work.id}"><div class="text"><b>${chosenTitle(visit, work).text}</b><p class="meta" dir="auto">${work.reason ?? ''}</p></div><form method="post" action="${visit.basePath}/works/${work.id}/show" data-act="show_work">${csrfInput(visit)}<button class="small" aria-label="${visit.t.editing.showAgain}${visit.t.common.colon}${chosenTitle(visit, work).text}">${visit.t.editing.showAgain}</button></form></li>`
