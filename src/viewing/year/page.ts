import { readFileSync } from 'node:fs'
import { filePath } from '../../covers/images/files'
import { type Period, yearPeriod } from '../../library/counting/period'
import { readStatistics, type Statistics } from '../../library/counting/statistics'
import { type YearFigures, yearFigures } from '../../library/counting/year'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { dayHours, readerTime } from '../../pages/local-format'
import { oneOf } from '../../values/text'
import { readIfValid } from '../../values/value'
import { anyone, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { queryText, type Visit } from '../../web/visit'
import { findUser, isOwn, readerOf, type ShownUser, userPath } from '../parts/find-user'
import { type NamedWork, namedWorks } from '../stats/makers'
import { hours } from '../stats/times'
import {
  madePictureCover,
  type PictureCover,
  pictureDimensions,
  pictureSizes,
  uploadedCover,
  yearPicture,
} from './picture'
import { emptyYear, yearHead, yearParts } from './view'

/** A year, or twelve months from one on (D91): `2026`, `2025-04`. */
interface YearOf {
  readonly user: ShownUser
  readonly period: Period
  /** As in the address. */
  readonly name: string
}

const earliest = 1950

/** The year that the path names; nothing before 1950, and nothing that has not begun. */
function periodOf(visit: Visit, name: string): Period {
  const [, year = '', month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(name) ?? []
  const from = Number(year) * 12 + Number(month ?? 1) - 1
  if (year === '' || Number(year) < earliest || from > thisMonth(visit)) throw pageNotFound()
  return month === undefined ? yearPeriod(Number(year)) : { from, until: from + 11 }
}

const thisMonth = (visit: Visit): number => {
  const { year, month } = readerTime(visit, visit.now)
  return year * 12 + month - 1
}

/** It is nobody else's until it is shared, whatever the profile. */
async function findYear(visit: Visit): Promise<YearOf> {
  const user = await findUser(visit)
  if (!isOwn(visit, user)) throw pageNotFound()
  const { period = '' } = visit.params
  return { user, period: periodOf(visit, period), name: period }
}

const yearPath = (visit: Visit, { user, name }: Pick<YearOf, 'user' | 'name'>): string =>
  `${userPath(visit, user)}/${name}`

const yearPage = definePage({
  path: '/@:username/:period',
  access: anyone,
  show: async (visit) => showYear(visit, await findYear(visit)),
})

interface Counted {
  readonly statistics: Statistics
  readonly figures: YearFigures
  /** With the covers that the reader sees. */
  readonly works: ReadonlyMap<number, NamedWork>
}

async function countYear(visit: Visit, { user, period }: YearOf): Promise<Counted> {
  const { preferences, now, deps } = visit
  const { timeZone } = preferences
  const choice = { period, media: undefined, timeZone, dayBegins: dayHours(preferences), now }
  const statistics = await readStatistics(deps.seen, user.id, choice)
  const figures = await yearFigures(deps.seen, user.id, statistics, thisMonth(visit))
  const ends = [figures.first, figures.last].flatMap((end) => end?.work.id ?? [])
  const again = statistics.works.rewatched.slice(0, 10).map(({ work_id }) => work_id)
  const timed = statistics.plays.plays.slice(0, 10).map(({ work_id }) => work_id)
  const ids = [...new Set([...figures.best.map(({ id }) => id), ...ends, ...again, ...timed])]
  const works = await namedWorks(deps.seen, ids, readerOf(visit))
  return { statistics, figures, works: new Map(works.map((work) => [work.id, work])) }
}

async function showYear(visit: Visit, year: YearOf): Promise<PageContent> {
  const { t } = visit
  const { user, period } = year
  const counted = await countYear(visit, year)
  const { figures, statistics, works } = counted
  const title = t.year.name(period.from, period.until)
  const names = { of: (ids: readonly number[]) => ids.flatMap((id) => works.get(id) ?? []) }
  const isEmpty = statistics.plays.plays.length === 0 && figures.finished === 0
  const path = yearPath(visit, year)
  const shown = { visit, figures, works, path }
  const content = isEmpty
    ? emptyYear(visit, userPath(visit, user), statistics.watched.plays)
    : yearParts(shown, hours({ visit, statistics, names }))
  const main = html`${sprite('great', 'good', 'average', 'bad')}<a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>
    ${yearHead(shown, isEmpty ? html`` : actions(visit, path, figures))}${content}`
  return { title: `${title} · ${user.name}`, main, place: 'me', head: pageScript(visit, 'share.js') }
}

/** The picture without script is a link to the drawing. */
function actions(visit: Visit, path: string, figures: YearFigures): Markup {
  const { t } = visit
  const name = t.year.name(figures.from, figures.until)
  const picture = (size: 'wide' | 'tall', look: string, text: string) => {
    const dimensions = pictureDimensions[size].join('x')
    return html`<a class="button${look}" href="${path}/share.svg?size=${size}" data-picture="${dimensions}" data-name="kiroku-${name}.png">${text}</a>`
  }
  return html`<div class="buttons year-actions">${picture('wide', ' filled', t.year.savePicture)}${picture('tall', '', t.year.saveTall)}<button hidden data-copy-text="${t.year.asText(textOf(visit, figures))}" data-done="${t.year.copied}">${t.year.copyText}</button></div>`
}

/** At most 280 characters: the year, its totals and three titles. */
function textOf(visit: Visit, figures: YearFigures) {
  const titles = figures.best.slice(0, 3).map((work) => shortTitle(visit, work))
  return { name: visit.t.year.name(figures.from, figures.until), figures, titles }
}

function shortTitle(
  { preferences }: Visit,
  { title, title_en, title_ro }: YearFigures['best'][number],
): string {
  const english = title_en || title_ro || title
  const text = preferences.titleLanguage === 'native' ? title : english
  const letters = [...text]
  return letters.length <= 40 ? text : `${letters.slice(0, 39).join('')}…`
}

const sizeOf = oneOf(pictureSizes)

/** Seen as the page is. */
const pictureRoute = definePage({
  path: '/@:username/:period/share.svg',
  access: anyone,
  show: async (visit) => {
    const year = await findYear(visit)
    const { figures, works } = await countYear(visit, year)
    const size = readIfValid(sizeOf, queryText(visit, 'size')) ?? 'wide'
    const covers = figures.best
      .slice(0, 3)
      .map((work) => coverOf(visit, works.get(work.id)) ?? madePictureCover(work))
    return new Response(yearPicture(visit, size, { figures, name: year.user.name, covers }), {
      headers: pictureHeaders,
    })
  },
})

const pictureHeaders = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; img-src data:; frame-ancestors 'none'",
}

/** Undefined for a made cover, and if its file is gone. */
function coverOf({ deps }: Visit, work: NamedWork | undefined): PictureCover | undefined {
  if (work === undefined || work.cover_hash === null) return undefined
  try {
    return uploadedCover(readFileSync(filePath(deps.config.data, work.cover_hash, 160)))
  } catch {
    return undefined
  }
}

export const yearRoutes = [yearPage, pictureRoute]
