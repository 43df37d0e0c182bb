import { mediaLabels } from '../../catalogue/labels'
import { dayLength, monthOfDay } from '../../library/counting/count-plays'
import { makersOf } from '../../library/counting/makers'
import { monthOfYear, type Period, yearPeriod } from '../../library/counting/period'
import type { CountedPlay } from '../../library/counting/plays'
import { type Choice, readStatistics, type Statistics } from '../../library/counting/statistics'
import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { dayHours, readerTime } from '../../pages/local-format'
import { wholeNumber } from '../../values/number'
import { readIfValid } from '../../values/value'
import { anyone, definePage } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { findUser, isOwn, readerOf, robotsOf, type ShownUser, userPath } from '../parts/find-user'
import { mediumName } from '../work/facts'
import { namedWorks } from './named-works'
import { mostNamed, type PartsView } from './part'
import { completion, makers, ratings, rewatched, whatWorks } from './parts'
import { hours, timeline } from './times'

/** What somebody watched, in figures (D90). Others count only what they may see. */
export const statisticsPage = definePage({
  path: '/@:username/stats',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    return showStatistics(visit, user, await readStatistics(visit.deps.seen, user.id, choiceOf(visit)))
  },
})

const years = wholeNumber(1900, 9998)

/** Unreadable values are ignored. */
function choiceOf(visit: Visit): Choice {
  const { preferences, now } = visit
  const media = queryText(visit, 'media')
  return {
    period: periodOf(visit),
    media: media in mediaLabels ? media : undefined,
    timeZone: preferences.timeZone,
    dayBegins: dayHours(preferences),
    now,
  }
}

function periodOf(visit: Visit): Period | undefined {
  const year = readIfValid(years, queryText(visit, 'year'))
  if (year !== undefined) return yearPeriod(year)
  const from = readIfValid(monthOfYear, queryText(visit, 'from'))
  const until = readIfValid(monthOfYear, queryText(visit, 'until'))
  return from === undefined || until === undefined || until < from ? undefined : { from, until }
}

async function showStatistics(visit: Visit, user: ShownUser, statistics: Statistics): Promise<PageContent> {
  const { t } = visit
  const main = html`<a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>
    <div class="head year-head"><h1>${t.stats.title} <small>${user.name}</small></h1>${periods(visit, user, statistics)}</div>
    ${statistics.plays.plays.length === 0 && statistics.works.seen.length === 0 ? empty(visit, user, statistics) : await figures(visit, user, statistics)}`
  const content = { title: `${t.stats.title} · ${user.name}`, main, ...robotsOf(user) }
  return { ...content, ...(isOwn(visit, user) && { place: 'me' }) }
}

/** All time, last year, this year, and a menu of all years that have something, and of media. */
function periods(visit: Visit, user: ShownUser, { watched, choice }: Statistics): Markup {
  const { t } = visit
  const { year: thisYear } = readerTime(visit, visit.now)
  const chosen = choice.period === undefined ? undefined : Math.floor(choice.period.from / 12)
  const path = (year: number | undefined, media = choice.media) => {
    const query = [
      ...(year === undefined ? [] : [`year=${year}`]),
      ...(media === undefined ? [] : [`media=${media}`]),
    ]
    return `${userPath(visit, user)}/stats${query.length === 0 ? '' : `?${query.join('&')}`}`
  }
  const current = (is: boolean) => (is ? html` aria-current="page"` : '')
  const segment = (year: number | undefined, text: string) =>
    html`<a href="${path(year)}"${current(year === chosen)}>${text}</a>`
  const older = yearsOf(watched.plays).filter((year) => year < thisYear - 1)
  const media = Object.keys(mediaLabels).map(
    (medium) =>
      html`<a href="${path(chosen, medium)}"${current(medium === choice.media)}>${mediumName(visit, medium)}</a>`,
  )
  return html`<nav class="segments" aria-label="${t.stats.period}">${segment(undefined, t.stats.all)}${segment(thisYear - 1, String(thisYear - 1))}${segment(thisYear, String(thisYear))}</nav>
    <details class="menu" name="menu"><summary class="button small">${choice.media === undefined ? t.seasons.others : mediumName(visit, choice.media)}${icon('down', 14)}</summary><div class="entries">${older.map((year) => segment(year, String(year)))}${older.length === 0 ? '' : html`<hr />`}<a href="${`${userPath(visit, user)}/stats${chosen === undefined ? '' : `?year=${chosen}`}`}"${current(choice.media === undefined)}>${t.stats.allMedia}</a>${media}</div></details>`
}

async function figures(visit: Visit, user: ShownUser, statistics: Statistics): Promise<Markup> {
  const { deps } = visit
  const { works } = statistics
  const seen = works.seen.map(({ id }) => id)
  const found = await namedWorks(deps.seen, nameable(statistics), readerOf(visit))
  const byId = new Map(found.map((work) => [work.id, work]))
  const view: PartsView = {
    visit,
    statistics,
    names: { of: (ids) => ids.flatMap((id) => byId.get(id) ?? []) },
  }
  const parts = [
    timeline(view),
    isOwn(visit, user) ? hours(view) : html``,
    ratings(view),
    ...whatWorks(view),
    completion(view),
    rewatched(view),
    ...makers(view, await makersOf(deps.seen, seen)),
  ]
  return html`${totals(visit, statistics)}<div class="parts">${parts}</div>`
}

/** Those in which anything was watched, the last one first. */
function yearsOf(plays: readonly CountedPlay[]): readonly number[] {
  const days = new Set<number>()
  for (const { at, precision } of plays) if (precision !== 'none') days.add(Math.floor(at / dayLength))
  const years = new Set([...days].map((day) => Math.floor(monthOfDay(day) / 12)))
  return [...years].sort((one, other) => other - one)
}

/** Works that a part may name: those watched again, and where there are few, all. */
function nameable({ works, plays }: Statistics): readonly number[] {
  const some = new Set<number>()
  const name = <One>(items: Iterable<One>, idOf: (item: One) => number | undefined) => {
    const few = new Set<number>()
    for (const item of items) {
      const id = idOf(item)
      if (id !== undefined) few.add(id)
      if (few.size === mostNamed) break
    }
    for (const id of few) some.add(id)
  }
  name(works.rewatched, ({ work_id }) => work_id)
  name(works.seen, ({ id }) => id)
  name(Object.values(works.completion).flat(), (id) => id)
  name(works.ratings.keys(), (id) => id)
  name(plays.plays, ({ work_id }) => work_id)
  name(plays.plays, ({ work_id, hour }) => (hour === undefined ? undefined : work_id))
  return [...some]
}

/** Each number with its stable name, and how much of it is estimated. */
function totals({ t }: Visit, { plays, works, days, choice }: Statistics): Markup {
  const hours = Math.round(plays.minutes / 60)
  const figure = (name: string, value: number, word: string, text = value.toLocaleString('en')) =>
    html`<div><dt>${word}</dt><dd><data data-figure="${name}" value="${value}">${text}</data></dd></div>`
  const fact = (name: string, value: number, text: string) =>
    html`<data data-figure="${name}" value="${value}">${text}</data>`
  const facts = [
    fact('days', plays.days.size, t.stats.days(plays.days.size)),
    fact('streak', days.longest?.length ?? 0, t.stats.streak(days.longest?.length ?? 0)),
    ...(days.current === undefined ? [] : [html`${t.stats.currentStreak(days.current.length)}`]),
    ...(days.perWeek === undefined ? [] : [html`${t.stats.perWeek(days.perWeek)}`]),
  ]
  const undated =
    choice.period === undefined ? t.stats.undatedOf(plays.undated) : t.stats.undatedBesides(plays.undated)
  return html`<dl class="figures">${figure('episodes', plays.episodes, t.profilePage.episodes(plays.episodes))}${figure('works_finished', works.finished.length, t.stats.finished(works.finished.length))}${figure('films', plays.films, t.profilePage.films(plays.films))}${figure('hours', hours, t.stats.hours(hours), t.stats.about(hours.toLocaleString('en')))}</dl>
    ${plays.days.size === 0 ? '' : html`<p class="meta facts-line">${facts.map((one, at) => html`${at === 0 ? '' : ' · '}${one}`)}</p>`}
    ${plays.undated === 0 ? '' : html`<p class="meta facts-line">${fact('undated', plays.undated, undated)}</p>`}
    <details class="as-table"><summary>${t.stats.hoursRule}</summary><p class="meta">${t.stats.hoursRuleText}</p></details>`
}

/** Nothing at all: how to begin. Nothing in the period: the last year that has something. */
function empty(visit: Visit, user: ShownUser, { watched, choice }: Statistics): Markup {
  const { t, basePath } = visit
  const last = watched.plays
    .filter(({ precision }) => precision !== 'none')
    .reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY)
  if (watched.plays.length === 0 || (choice.period === undefined && choice.media === undefined)) {
    const begin = html`<p>${t.stats.nothingExplained}</p><a class="button filled" href="${basePath}/settings/import">${t.listImports.title}</a> <a href="${userPath(visit, user)}/library/watched">${t.library.title}</a>`
    return html`<div class="nothing">${waves()}<h2>${t.profilePage.nothing}</h2>${isOwn(visit, user) ? begin : ''}</div>`
  }
  const year = new Date(last).getUTCFullYear()
  const link = Number.isFinite(last)
    ? html`<a class="button" href="${userPath(visit, user)}/stats?year=${year}">${t.stats.lastWith(year)}</a>`
    : ''
  return html`<div class="nothing">${waves()}<h2>${t.stats.nothingThen}</h2>${link}</div>`
}
