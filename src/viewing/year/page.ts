import { readFileSync } from 'node:fs'
import { filePath } from '../../covers/images/files'
import type { YearFigures } from '../../library/counting/year'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { oneOf } from '../../values/text'
import { readIfValid } from '../../values/value'
import { anyone, definePage } from '../../web/page'
import { pageNotFound } from '../../web/problem'
import { queryText, type Visit } from '../../web/visit'
import { findUser, isOwn, readerOf, userPath } from '../parts/find-user'
import { linkPreview } from '../parts/link-preview'
import { type NamedWork, namedWorks } from '../stats/named-works'
import { hours } from '../stats/times'
import { countYear, periodOf, type YearOf } from './count'
import {
  madePictureCover,
  type PictureCover,
  pictureDimensions,
  pictureSizes,
  uploadedCover,
  yearPicture,
} from './picture'
import { figuresOf, findShare, type SharedYear, shareRoutes, sharing } from './share'
import { emptyYear, yearHead, yearParts } from './view'

const yearPath = (visit: Visit, { user, name }: Pick<YearOf, 'user' | 'name'>): string =>
  `${userPath(visit, user)}/${name}`

/** One's own, or what somebody shares with the reader (D91): everything else is not there. */
async function findYear(visit: Visit): Promise<YearOf | SharedYear> {
  const { username = '', period: name = '' } = visit.params
  const isMine = visit.session?.username.toLowerCase() === username.toLowerCase()
  const share = isMine ? undefined : await findShare(visit, username, name)
  if (share !== undefined) return share
  const user = await findUser(visit)
  if (!isOwn(visit, user)) throw pageNotFound()
  return { user, period: periodOf(visit, name), name }
}

const isShared = (year: YearOf | SharedYear): year is SharedYear => 'figures' in year

const yearPage = definePage({
  path: '/@:username/:period',
  access: anyone,
  show: async (visit) => {
    const year = await findYear(visit)
    return isShared(year) ? showShared(visit, year) : showYear(visit, year)
  },
})

/** The copy of another's year, as it was. */
async function showShared(visit: Visit, share: SharedYear): Promise<PageContent> {
  const { t, basePath } = visit
  const figures = figuresOf(share)
  const works = await coversOf(visit, figures)
  const title = t.year.name(figures.from, figures.until)
  const profile = `/@${share.username}`
  const shown = { visit, figures, works, kicker: t.year.of(share.name) }
  const main = html`${sprite('great', 'good', 'average', 'bad')}<a class="back" href="${basePath}${profile}">${icon('back', 16)}${share.name}</a>
    ${yearHead(shown, html``)}${yearParts(shown, html``)}`
  const preview = {
    title: `${title} · ${share.name}`,
    description: t.year.line(figures),
    type: 'website',
    path: `${profile}/${visit.params.period}`,
  } as const
  return {
    title: preview.title,
    main,
    headers: { 'X-Robots-Tag': 'noindex' },
    head: share.audience === 'public' ? linkPreview(visit, preview) : html``,
  }
}

async function coversOf(
  visit: Visit,
  { best, first, last }: YearFigures,
): Promise<ReadonlyMap<number, NamedWork>> {
  const ids = [...best.map(({ id }) => id), ...[first, last].flatMap((end) => end?.work.id ?? [])]
  const works = await namedWorks(visit.deps.seen, [...new Set(ids)], readerOf(visit))
  return new Map(works.map((work) => [work.id, work]))
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
  const share = await findShare(visit, user.username, year.name)
  const kicker = figures.isRunning ? t.year.kickerSoFar : t.year.kicker
  const shown = { visit, figures, works, kicker }
  const content = isEmpty
    ? emptyYear(visit, userPath(visit, user), statistics.watched.plays)
    : yearParts(shown, hours({ visit, statistics, names }))
  const main = html`${sprite('great', 'good', 'average', 'bad')}<a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>
    ${yearHead(shown, isEmpty ? html`` : actions(visit, path, figures))}${isEmpty ? '' : sharing(visit, year.name, share)}${content}`
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
    const name = isShared(year) ? year.name : year.user.name
    const { figures, works } = isShared(year)
      ? { figures: figuresOf(year), works: await coversOf(visit, figuresOf(year)) }
      : await countYear(visit, year)
    const size = readIfValid(sizeOf, queryText(visit, 'size')) ?? 'wide'
    const covers = figures.best
      .slice(0, 3)
      .map((work) => coverOf(visit, works.get(work.id)) ?? madePictureCover(work))
    return new Response(yearPicture(visit, size, { figures, name, covers }), {
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

export const yearRoutes = [yearPage, pictureRoute, ...shareRoutes]
