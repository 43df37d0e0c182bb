import { html, type Markup } from '../../pages/html'
import { waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { searchForm } from '../../pages/navigation'
import { member } from '../../web/access'
import { definePage } from '../../web/page'
import type { MemberVisit } from '../../web/visit'
import { ranksOf, seasonAfter, seasonAt } from '../parts/season'
import { pickCard } from './card'
import { type OfferedWork, offeredWorks, watchingCount } from './queries'

/** Where a new member goes first: what they watch becomes their Track. */
export const welcomePage = definePage({ path: '/welcome', access: member, show: showWelcome })

async function showWelcome(visit: MemberVisit): Promise<PageContent> {
  const { pageContext, deps, session } = visit
  const { t } = pageContext
  const works = await offered(visit)
  const [picked] = await watchingCount(deps.read, { user: session.userId })
  const main = html`<div class="welcome">
    <h1>${t.firstRun.title}</h1>
    <p class="meta">${t.firstRun.explained}</p>
    ${searchForm(pageContext)}
    ${works.length === 0 ? nothing(visit) : html`<ul class="cards">${works.map((work) => pickCard(visit, work))}</ul>`}
    ${actionBar(visit, picked?.count ?? 0)}
  </div>`
  return { title: t.firstRun.title, main, isBare: true, isWide: true }
}

/** Of this season and the three before. */
async function offered({ pageContext, deps, session }: MemberVisit): Promise<readonly OfferedWork[]> {
  const { now, preferences } = pageContext
  const latest = seasonAt(now, preferences.timeZone)
  const first = seasonAfter(latest, -3) ?? latest
  const { from } = ranksOf(first)
  const { until } = ranksOf(latest)
  return await offeredWorks(deps.read, { user: session.userId, from, until, limit: 60 })
}

function nothing({ pageContext: { t, basePath } }: MemberVisit): Markup {
  return html`<div class="nothing">${waves()}<h2>${t.firstRun.nothing}</h2><p>${t.firstRun.nothingExplained}</p>
    <a class="button" href="${basePath}/welcome">${t.firstRun.reload}</a></div>`
}

function actionBar({ pageContext: { t, basePath } }: MemberVisit, count: number): Markup {
  const [text, button] =
    count === 0 ? [t.firstRun.none, t.firstRun.skip] : [t.firstRun.chosen(count), t.firstRun.start]
  return html`<div class="action-bar" id="picked"><div class="inner"><p><b>${text}</b><small>${t.firstRun.anyTime}</small></p>
    <a class="button filled" href="${basePath}/">${button}</a></div></div>`
}
