import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import type { Preferences } from '../../pages/preferences'
import { anyone, definePage } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { findUser, isOwn, readerOf, robotsOf, type ShownUser, userPath } from '../parts/find-user'
import { pageLinks, pageNumber } from '../parts/page-links'
import { deleteForms, entriesOf, entryList } from './entry'
import { diaryPath, yearOfPath } from './head'
import { dayLength, daysBetween } from './month'
import { type WatchedKey, watchedBetween, watchedYears } from './queries'

const pageSize = 36

/** The months of a year, and what was watched in that year on unknown days (D61). */
export const diaryOfYear = definePage({
  path: '/@:username/diary/:year',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    const year = yearOfPath(visit)
    const days = daysBetween(
      visit.preferences,
      Date.UTC(year, 0) / dayLength,
      Date.UTC(year + 1, 0) / dayLength - 1,
    )
    const keys = await watchedBetween(visit.deps.seen, { user: user.id, from: days.from, until: days.until })
    return showYear(visit, user, { year, keys })
  },
})

interface Year {
  readonly year: number
  readonly keys: readonly WatchedKey[]
}

async function showYear(visit: Visit, user: ShownUser, { year, keys }: Year): Promise<PageContent> {
  const counts = countByMonth(keys, year, visit.preferences)
  const title = formatDay(visit, Date.UTC(year, 0) / dayLength, 'year')
  const undated = keys.filter((key) => key.precision === 'year' && yearOf(key) === year)
  const main = html`${sprite('great', 'good', 'average', 'bad', 'more', 'lock')}
    <a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>
    <div class="head year-head"><h1>${title}</h1>${await yearMenu(visit, user, year)}${yearLinks(visit, user, year)}</div>
    <ul class="months">${counts.map((count, index) => monthLine(visit, user, { year, month: index + 1, count }))}</ul>
    ${undated.length === 0 ? '' : await sometime(visit, user, { year, keys: undated })}
    ${isOwn(visit, user) ? deleteForms(visit) : ''}`
  return {
    title: `${visit.t.diary.title} · ${title} · ${user.name}`,
    main,
    ...robotsOf(user),
    ...(isOwn(visit, user) && { place: 'me' }),
  }
}

const yearOf = ({ at }: WatchedKey) => new Date(at).getUTCFullYear()

function countByMonth(keys: readonly WatchedKey[], year: number, preferences: Preferences): number[] {
  const firsts = Array.from({ length: 13 }, (_, month) => Date.UTC(year, month) / dayLength)
  const months = firsts
    .slice(0, 12)
    .map((first, month) => daysBetween(preferences, first, (firsts[month + 1] ?? 0) - 1))
  const isIn = (key: WatchedKey, month: number) =>
    key.precision === 'month'
      ? yearOf(key) === year && new Date(key.at).getUTCMonth() === month
      : months[month]?.dayOf(key) !== undefined
  return months.map((_, month) => keys.filter((key) => isIn(key, month)).length)
}

function monthLine(
  visit: Visit,
  user: ShownUser,
  { count, ...month }: { year: number; month: number; count: number },
): Markup {
  const name = formatDay(visit, Date.UTC(month.year, month.month - 1) / dayLength, 'shortMonth')
  const said = html`<b>${name}</b><span class="meta">${count === 0 ? '–' : visit.t.diary.entries(count)}</span>`
  return html`<li>${count === 0 ? html`<span>${said}</span>` : html`<a href="${diaryPath(visit, user, month)}">${said}</a>`}</li>`
}

/** All years with entries: those of an old imported list may be far from this one. */
async function yearMenu(visit: Visit, user: ShownUser, year: number): Promise<Markup> {
  const years = await watchedYears(visit.deps.seen, { user: user.id })
  if (years.length === 0) return html``
  const { t } = visit
  const link = (one: { year: number; count: number }) =>
    html`<a href="${userPath(visit, user)}/diary/${one.year}"${one.year === year ? html` aria-current="page"` : ''}>${t.seasons.year(one.year)} <small>${one.count.toLocaleString('en')}</small></a>`
  return html`<details class="menu" name="menu"><summary class="button small">${t.diary.years}${icon('down', 14)}</summary><div class="entries">${years.map(link)}</div></details>`
}

function yearLinks(visit: Visit, user: ShownUser, year: number): Markup {
  const path = (of: number) => `${userPath(visit, user)}/diary/${of}`
  const next =
    year < readerTime(visit, visit.now).year
      ? html`<a rel="next" href="${path(year + 1)}">${year + 1}${icon('next', 14)}</a>`
      : ''
  return html`<nav class="segments" aria-label="${visit.t.diary.years}"><a rel="prev" href="${path(year - 1)}">${icon('back', 14)}${year - 1}</a><a aria-current="page" href="${path(year)}">${year}</a>${next}</nav>`
}

async function sometime(visit: Visit, user: ShownUser, { year, keys }: Year): Promise<Markup> {
  const { deps } = visit
  const pages = Math.ceil(keys.length / pageSize)
  const page = pageNumber(queryText(visit, 'page'), pages)
  const shown = keys.slice((page - 1) * pageSize, page * pageSize)
  const entries = await entriesOf(deps.seen, shown, readerOf(visit))
  const path = `${userPath(visit, user)}/diary/${year}`
  return html`<section class="day-entries" id="opinions"><h2 class="sometime">${icon('calendar', 16)}${visit.t.diary.sometimeInYear}</h2>
    ${entryList(visit, user, entries, () => '')}</section>
    ${pageLinks(visit, path, { page, pages })}`
}
