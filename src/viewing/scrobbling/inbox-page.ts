import { findRows } from '../../catalogue/search/find'
import { trimmed } from '../../lib/white-space'
import { NothingChanged } from '../../library/acts/act'
import { maxEpisodes } from '../../library/next-episode'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { timeMarkup } from '../../pages/moment'
import { titleMarkup } from '../../pages/title'
import { continuesAt, type LikelyNumber } from '../../scrobble/continues-at'
import {
  mostListed,
  placeSeries,
  type WaitingSeries,
  waitingEpisodes,
  waitingSeries,
} from '../../scrobble/inbox'
import {
  forgetTaught,
  leaveOut,
  listLeftOut,
  listTaught,
  type TaughtSeries,
  takeIn,
} from '../../scrobble/taught'
import { FieldProblem } from '../../values/field-problem'
import { positiveInteger } from '../../values/number'
import { orBlank, readIfValid } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction } from '../../web/form'
import { csrfInput } from '../../web/form-markup'
import { below, definePage, member, type PageRoute, seeOther } from '../../web/page'
import { FormProblem } from '../../web/problem'
import { type MemberVisit, pathId, queryText } from '../../web/visit'
import { defineAct, episodeNumber, id } from '../acts/act-route'
import { proposalList } from '../import/open-row'
import { actForm } from '../parts/act-form'
import { workPath } from '../parts/cover'
import { type FoundWork, foundWorks } from '../search/queries'
import { reasonText } from './delivery-rows'
import { scrobblingPath } from './page'

const inboxPath = `${scrobblingPath}/inbox`

/** Series whose plays wait to be placed: one choice records them and decides all that come. */
export const inboxRoutes: readonly PageRoute[] = below(
  { path: scrobblingPath, name: (t) => t.scrobbling.title, place: 'me' },
  [
    definePage({ path: inboxPath, access: member, show: inboxPage }),
    defineAct({
      path: '/settings/scrobbling/inbox/place',
      values: { series_id: id, work_id: id, continues_at: orBlank(episodeNumber, 1) },
      run: async ({ deps, session }, { series_id, work_id, continues_at }) => {
        const choice = { workId: work_id, episodeOffset: continues_at - 1 }
        const { actId } = await placed(() => placeSeries(deps, session.userId, series_id, choice))
        if (actId === null) throw new NothingChanged('play')
        return { id: actId, undoneAt: null }
      },
    }),
    ...[
      { name: 'leave_out', word: 'series_left_out', run: leaveOut },
      { name: 'take_in', word: 'saved', run: takeIn },
      { name: 'forget', word: 'choice_forgotten', run: forgetTaught },
    ].map(({ name, word, run }) =>
      defineAction({
        path: `${inboxPath}/:id/${name}`,
        access: member,
        run: async (visit) => {
          await run(visit.deps, visit.session.userId, pathId(visit))
          setFlash(visit, word)
          return seeOther(visit, inboxPath)
        },
      }),
    ),
  ],
)

async function placed<T>(place: () => Promise<T>): Promise<T> {
  try {
    return await place()
  } catch (cause) {
    throw cause instanceof FieldProblem
      ? new FormProblem('continues_at', (t) => t.scrobbling.outsideWork)
      : cause
  }
}

async function inboxPage(visit: MemberVisit): Promise<PageContent> {
  const { deps, session, t } = visit
  const waiting = await waitingSeries(deps, session.userId)
  const asked = readIfValid(positiveInteger, queryText(visit, 'series'))
  const open = waiting.find(({ id: one }) => one === asked) ?? waiting[0]
  const plays = t.scrobbling.plays(waiting.reduce((sum, one) => sum + one.plays, 0))
  const left =
    waiting.length === 0
      ? ''
      : html` <span class="meta">${t.scrobbling.inboxLeft(waiting.length, plays)}</span>`
  const shown = await Promise.all(
    waiting.map((one) => (one === open ? openSeries(visit, one) : closedSeries(visit, one))),
  )
  const main = html`<div class="inbox"><h1>${t.scrobbling.inbox}${left}</h1>
    ${shown.length === 0 ? nothingWaits(visit) : shown}${await remembered(visit)}</div>`
  return { title: t.scrobbling.inbox, main }
}

const nothingWaits = ({ t }: MemberVisit): Markup =>
  html`<div class="nothing">${waves()}<h2>${t.scrobbling.nothingWaits}</h2><p>${t.scrobbling.nothingWaitsHint}</p></div>`

function nameOf({ t }: MemberVisit, { title, season }: WaitingSeries): string {
  return season === null ? title : `${title} · ${t.scrobbling.season(season)}`
}

/** `S8 E4–6 · 3 plays · tonight 22:41 · this season is counted apart` */
function factsOf(visit: MemberVisit, one: WaitingSeries): Markup {
  const { t } = visit
  const { season, firstEpisode: first, lastEpisode: last } = one
  const numbers = first === last ? `E${first}` : `E${first}–${last}`
  const place = one.said.isMovie ? [] : [season === null ? numbers : `S${season} ${numbers}`]
  const why = reasonText(t.scrobbling.reasons, one.reason)
  return html`${[...place, t.scrobbling.plays(one.plays)].join(' · ')} · ${timeMarkup(visit, one.receivedAt)} · ${why}`
}

async function closedSeries(visit: MemberVisit, one: WaitingSeries): Promise<Markup> {
  const { t, basePath } = visit
  const name = nameOf(visit, one)
  return html`<section class="box waiting" id="series-${one.id}"><div class="head"><div class="text"><h2>${name}</h2><p class="meta">${factsOf(visit, one)}</p></div>
    <a class="button small" href="${basePath}${inboxPath}?series=${one.id}#series-${one.id}" aria-label="${t.scrobbling.chooseFor(name)}">${t.scrobbling.choose}</a></div></section>`
}

async function openSeries(visit: MemberVisit, one: WaitingSeries): Promise<Markup> {
  const { deps, session, t, basePath } = visit
  const text = trimmed(queryText(visit, 'q').slice(0, 100))
  const ids =
    text === '' ? one.proposals.map(({ work_id }) => work_id) : await findRows(deps.seen, 'works', text)
  const wanted = JSON.stringify(ids.slice(0, mostProposals))
  const works = await foundWorks(deps.seen, { ids: wanted, user: session.userId })
  const likely = await continuesAt(deps.read, session.userId, one)
  const episodes = one.said.isMovie ? [] : await waitingEpisodes(deps, session.userId, one.id)
  const choose = actForm(
    visit,
    {
      act: 'place_series',
      path: '/settings/scrobbling/inbox/place',
      fields: { series_id: one.id },
      returnTo: inboxPath,
      id: 'decide',
    },
    html`<div id="proposals">${works.length === 0 ? html`<p role="status">${text === '' ? t.listImports.pickNone : t.listImports.foundNone}</p>` : chosenWork(visit, one, works, { likely, episodes })}</div>`,
  )
  return html`<section class="box waiting" id="series-${one.id}"><div class="head"><div class="text"><h2>${nameOf(visit, one)}</h2><p class="meta">${factsOf(visit, one)}</p></div></div>
    ${searchForm(visit, one, text)}${choose}
    <form method="post" action="${basePath}${inboxPath}/${one.id}/leave_out" data-act="leave_out">${csrfInput(visit)}<button class="quiet small">${t.scrobbling.leaveOut}</button></form></section>`
}

const mostProposals = 5

function searchForm({ t, basePath }: MemberVisit, one: WaitingSeries, text: string): Markup {
  return html`<form class="import-search" action="${basePath}${inboxPath}#series-${one.id}" data-instant data-swap="#decide">
    <input type="hidden" name="series" value="${one.id}" />${icon('find')}<input type="search" name="q" value="${text}" maxlength="100" aria-label="${t.listImports.searchFor(one.title)}" placeholder="${t.listImports.search}" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" />
    <button class="small">${t.listImports.searchButton}</button></form>`
}

function chosenWork(
  visit: MemberVisit,
  { season, plays, said }: WaitingSeries,
  works: readonly FoundWork[],
  { likely, episodes }: { likely: LikelyNumber | undefined; episodes: readonly number[] },
): Markup {
  const { t } = visit
  const first = likely?.number ?? 1
  const estimated = likely?.isEstimated ? html` <span class="estimated">${t.work.estimated}</span>` : ''
  const hint =
    likely === undefined || likely.isEstimated ? t.scrobbling.continuesHint : t.scrobbling.continuesBefore
  const field = said.isMovie
    ? ''
    : html`<div class="field import-continues"><label for="continues_at">${t.scrobbling.continuesAt(season === null ? '' : String(season))}</label>
    <input type="number" id="continues_at" name="continues_at" value="${first}" min="1" max="${maxEpisodes}" inputmode="numeric" required aria-describedby="continues-hint" />${estimated}
    <p class="hint" id="continues-hint">${hint}</p></div>${preview(visit, { season, episodes, by: first - 1 })}`
  return html`${proposalList(visit, works, null)}${field}<p class="soft">${t.scrobbling.remembers}</p>
    <div class="buttons"><button class="filled">${t.scrobbling.use(t.scrobbling.plays(plays))}</button></div>`
}

/** What the proposed number makes of each; the style sheet hides it once another number is entered. */
function preview(
  { t }: MemberVisit,
  { season, episodes, by }: { season: number | null; episodes: readonly number[]; by: number },
): Markup {
  const lines = episodes
    .slice(0, mostListed)
    .map(
      (one) =>
        html`<li><span>${season === null ? '' : `S${season} `}E${one}</span> <span>${t.strip.episode(String(one + by))}</span></li>`,
    )
  const more = episodes.length > mostListed ? html`<li>…</li>` : ''
  return html`<div class="box placing"><h3>${t.scrobbling.preview}</h3><ul>${lines}${more}</ul></div>`
}

/** What was chosen and left out before, each with the way back. */
async function remembered(visit: MemberVisit): Promise<Markup> {
  const { deps, session, t } = visit
  const taught = await listTaught(deps.read, session.userId)
  const leftOut = await listLeftOut(deps.read, session.userId)
  const ids = JSON.stringify([...new Set(taught.map(({ workId }) => workId))])
  const found = await foundWorks(deps.seen, { ids, user: session.userId })
  const works = new Map(found.map((work) => [work.id, work]))
  const choices = taught.flatMap((one) => {
    const work = works.get(one.workId)
    return work === undefined ? [] : [taughtRow(visit, one, work)]
  })
  const silenced = leftOut.map(
    (one) =>
      html`<li class="row"><div class="text">${one.title}</div>${smallForm(visit, `${one.id}/take_in`, t.scrobbling.takeIn, t.scrobbling.takeInOf(one.title))}</li>`,
  )
  return html`${choices.length === 0 ? '' : html`<section><h2>${t.scrobbling.taught}</h2><ul class="rows">${choices}</ul></section>`}
    ${silenced.length === 0 ? '' : html`<section><h2>${t.scrobbling.leftOut}</h2><ul class="rows">${silenced}</ul></section>`}`
}

function taughtRow(visit: MemberVisit, one: TaughtSeries, work: FoundWork): Markup {
  const { t } = visit
  const name = t.scrobbling.taughtAs(one.series, one.season)
  const from = one.episodeOffset === 0 ? '' : html` · ${t.scrobbling.taughtFrom(one.episodeOffset + 1)}`
  return html`<li class="row"><div class="text">${name}<p class="meta"><a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>${from}</p></div>${smallForm(visit, `${one.id}/forget`, t.scrobbling.forget, t.scrobbling.forgetOf(name))}</li>`
}

const smallForm = (visit: MemberVisit, path: string, name: string, label: string): Markup =>
  html`<form method="post" action="${visit.basePath}${inboxPath}/${path}">${csrfInput(visit)}<button class="small" aria-label="${label}">${name}</button></form>`
