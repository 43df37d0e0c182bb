import { sharePicture } from '../../covers/images/encode'
import type { YearFigures } from '../../library/counting/year'
import { pageScript } from '../../pages/assets'
import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { anyone, definePage } from '../../web/page'
import type { Visit } from '../../web/visit'
import { userPath } from '../parts/find-user'
import { linkPreview } from '../parts/link-preview'
import { hours } from '../stats/times'
import { countYear, coversOf, type YearOf } from './count'
import { figuresOf, findShare, findYear, isShared, type SharedYear } from './find-year'
import { pictureDimensions } from './picture'
import { pictureRoutes } from './pictures'
import { shareRoutes, sharing } from './share'
import { emptyYear, yearHead, yearParts } from './view'

const yearPath = (visit: Visit, { user, name }: Pick<YearOf, 'user' | 'name'>): string =>
  `${userPath(visit, user)}/${name}`

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
  const path = `${profile}/${visit.params.period}`
  const picture = {
    ...{ path: `${path}/share.png?v=${share.created_at}`, type: 'image/png', ...sharePicture },
    alt: t.year.pictureAlt(t.year.line(figures)),
  }
  const preview = {
    ...({
      title: `${title} · ${share.name}`,
      description: t.year.line(figures),
      type: 'website',
      path,
    } as const),
    ...(share.picture_hash !== null && { picture }),
  }
  return {
    title: preview.title,
    main,
    headers: { 'X-Robots-Tag': 'noindex' },
    head: share.audience === 'public' ? linkPreview(visit, preview) : html``,
  }
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

export const yearRoutes = [yearPage, ...pictureRoutes, ...shareRoutes]
