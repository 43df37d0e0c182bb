import { sql } from 'kysely'
import { type CoveredWork, coverColumns } from '../../catalogue/cover-path'
import { lackingOf } from '../../catalogue/lacking'
import { findRows } from '../../catalogue/search/find'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import { trimmed } from '../../lib/white-space'
import type { StatusKind } from '../../library/statuses'
import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { searchField } from '../../pages/navigation'
import type { Titles } from '../../pages/title'
import { csrfInput } from '../../web/form-markup'
import { definePage, member } from '../../web/page'
import { type MemberVisit, queryText } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cardTitle, cover } from '../parts/cover'
import { byRenown } from '../parts/renown'
import { ranksOf, seasonAfter, seasonAt } from '../parts/season'
import { foundWorks, longestText } from '../search/queries'

/** Where a new member starts: the works picked here make up their Track. */
export const welcomePage = definePage({ path: '/welcome', access: member, show: showWelcome })

async function showWelcome(visit: MemberVisit): Promise<PageContent> {
  const { deps, session, t } = visit
  const text = trimmed(queryText(visit, 'q'))
  const works = text === '' ? await offered(visit) : await found(visit, text)
  const [picked] = await watchingCount(deps.seen, { user: session.userId })
  const main = html`<div class="welcome">
    <h1>${t.firstRun.title}</h1>
    <p class="meta">${t.firstRun.explained} <a href="${visit.basePath}/settings/import">${t.firstRun.importList}</a></p>
    ${await offerOfSources(visit)}
    ${searchField(visit, { path: '/welcome', text, hint: t.firstRun.search, swap: '#offered' })}
    <div id="offered">${works.length === 0 ? none(visit, text) : html`<ul class="cards">${works.map((work) => pickCard(visit, work))}</ul>`}</div>
    ${actionBar(visit, picked?.count ?? 0)}
  </div>`
  return { title: t.firstRun.title, main, isBare: true, isWide: true }
}

/** For administrators, as long as no source is on: what it would bring, in one press. */
async function offerOfSources(visit: MemberVisit): Promise<Markup> {
  const { deps, session, now, t, basePath } = visit
  const lacking = session.isAdmin ? await lackingOf(deps.seen, now) : undefined
  if (lacking === undefined) return html``
  const { question } = t.catalogue
  return html`<form method="post" action="${basePath}/welcome/catalogue" class="box offer">${csrfInput(visit)}
    <p>${question.lacks(lacking)} <a href="${basePath}/admin/catalogue">${question.which}</a></p>
    <button class="outlined" name="look" value="yes">${question.yes}</button></form>`
}

/** From this season and the three before. */
async function offered({ deps, session, now, preferences }: MemberVisit): Promise<readonly OfferedWork[]> {
  const latest = seasonAt(now, preferences.timeZone)
  const first = seasonAfter(latest, -3) ?? latest
  const { from } = ranksOf(first)
  const { until } = ranksOf(latest)
  return await offeredWorks(deps.seen, { user: session.userId, from, until, limit: mostWorks })
}

interface OfferedWork extends CoveredWork, Titles {
  readonly kind: StatusKind | null
}

/**
 * The best-known television series between two values of `season_rank`: the best of each season first, starting with
 * the latest, because newer series are less known. Uses works_season_desc.
 */
const offeredWorks = prepared(
  (read: Read, slot: SlotOf<{ user: number; from: number; until: number; limit: number }>) =>
    read
      .selectFrom('works')
      .leftJoin('statuses', (join) =>
        join.onRef('statuses.work_id', '=', 'works.id').on('statuses.user_id', '=', slot('user')),
      )
      .select(['works.id', 'title', 'title_en', 'title_ro'])
      .select(coverColumns(slot('user')))
      .select(sql<StatusKind | null>`kind`.as('kind'))
      .where('season_rank', '>=', slot('from'))
      .where('season_rank', '<=', slot('until'))
      .where('media', 'in', ['tv', 'web'])
      .where('no_episodes', '=', 0)
      .where('works.hidden', '=', 0)
      .orderBy(sql`row_number() over (partition by season_rank order by ${byRenown})`)
      .orderBy('season_rank', 'desc')
      .limit(slot('limit')),
)

/** How many works a user is watching. Uses statuses_kind. */
const watchingCount = prepared((read, slot: SlotOf<{ user: number }>) =>
  read
    .selectFrom('statuses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', slot('user'))
    .where('kind', '=', 'watching'),
)

async function found({ deps, session }: MemberVisit, text: string): Promise<readonly OfferedWork[]> {
  if ([...text].length > longestText) return []
  const ids = await findRows(deps.seen, 'works', text)
  return await foundWorks(deps.seen, { ids: JSON.stringify(ids.slice(0, mostWorks)), user: session.userId })
}

const mostWorks = 60

function none(visit: MemberVisit, text: string): Markup {
  if (text === '') return nothing(visit)
  return html`<div class="nothing" role="status"><h2>${visit.t.search.nothing.works}</h2></div>`
}

function nothing({ t, basePath }: MemberVisit): Markup {
  return html`<div class="nothing">${waves()}<h2>${t.firstRun.nothing}</h2><p>${t.firstRun.nothingExplained}</p>
    <a class="button" href="${basePath}/welcome">${t.common.reload}</a></div>`
}

function actionBar({ t, basePath }: MemberVisit, count: number): Markup {
  const [text, button] =
    count === 0 ? [t.firstRun.none, t.firstRun.skip] : [t.firstRun.chosen(count), t.firstRun.start]
  return html`<div class="action-bar" id="picked"><div class="inner"><p><b>${text}</b></p>
    <a class="button filled" href="${basePath}/">${button}</a></div></div>`
}

/** Its single button covers the card: a press adds the work as watching, another one removes it. */
function pickCard(visit: MemberVisit, work: OfferedWork): Markup {
  const { id, kind } = work
  const { text, lang, lines } = cardTitle(visit, work)
  const isPicked = kind === 'watching'
  const { watching } = visit.t.statuses
  const name = visit.t.statuses.setTo(text, watching)
  const form = { act: 'status', path: '/status', fields: { work_id: id }, swap: `#row-${id},#picked` }
  const button = html`<button name="kind" value="${isPicked ? 'no_select' : 'watching'}" data-focus="pick-${id}" aria-pressed="${String(isPicked)}" aria-label="${name}">${watching}</button>`
  return html`<li class="card${isPicked ? ' picked' : ''}" id="row-${id}" data-work="${id}">${cover(visit, work, 160)}<span class="name" lang="${lang}">${lines}</span>${actForm(visit, form, button)}</li>
`
}
