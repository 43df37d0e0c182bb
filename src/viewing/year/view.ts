import type { CountedPlay } from '../../library/counting/plays'
import type { RatedYearWork, YearEnd, YearFigures } from '../../library/counting/year'
import { html, type Markup } from '../../pages/html'
import { spriteIcon, waves } from '../../pages/icons'
import { formatDay } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { dayLength } from '../diary/month'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { ratingMark } from '../parts/rating'
import { type Bar, columnChart, fewest } from '../stats/charts'
import type { NamedWork } from '../stats/named-works'
import { makerName, part } from '../stats/part'

export interface ShownYear {
  readonly visit: Visit
  readonly figures: YearFigures
  /** Those that have a page, with their covers. */
  readonly works: ReadonlyMap<number, NamedWork>
  /** Above the year. */
  readonly kicker: string
}

const figure = (name: string, value: number, text: string): Markup =>
  html`<data data-figure="${name}" value="${value}">${text}</data>`

/** `heading`: the page has another one, of which this is a part. */
export function yearHead({ visit, figures, kicker }: ShownYear, actions: Markup, heading?: 'p'): Markup {
  const { t } = visit
  const { episodes, films, finished, hours, days, from, until } = figures
  const name = t.year.name(from, until)
  const facts = [
    figure('works_finished', finished, t.year.finished(finished)),
    figure('films', films, t.year.films(films)),
    figure('hours', hours, t.year.hours(hours)),
    figure('days', days, t.stats.days(days)),
  ]
  return html`<header class="year-review"><div><p class="kicker">${kicker}</p>${heading === undefined ? html`<h1>${name}</h1>` : html`<p class="name">${name}</p>`}
    <p class="most"><b>${figure('episodes', episodes, episodes.toLocaleString('en'))}</b> ${t.profilePage.episodes(episodes)}</p>
    <p class="soft">${facts.map((fact, at) => html`${at === 0 ? '' : ' · '}${fact}`)}</p></div>${actions}</header>`
}

/** `when` is for its owner alone. */
export function yearParts(shown: ShownYear, when: Markup): Markup {
  const { visit, figures } = shown
  const { t } = visit
  const months = monthsPart(shown)
  return html`${bestPart(shown)}<div class="parts">${months}${when}
    ${figures.first === null && figures.last === null ? '' : part(t.year.firstAndLast, '', html`<div class="year-ends">${[figures.first, figures.last].map((end) => (end === null ? html`` : endOf(shown, end)))}</div>`)}
    ${part(t.year.also, '', also(shown))}</div>`
}

function bestPart(shown: ShownYear): Markup {
  const { visit, figures } = shown
  const { t } = visit
  if (figures.best.length === 0) return html``
  const title = figures.best.some(({ rating, score }) => rating !== null || score !== null)
    ? t.year.best
    : t.year.finishedHead
  const cards = figures.best.slice(0, 3).map((work) => {
    const { text, lang } = chosenTitle(visit, work)
    return html`<li class="card">${linked(shown, work.id, html`${coverOf(shown, work, 160)}<span class="name" lang="${lang}">${text}</span>`)}${mark(visit, work)}</li>`
  })
  const rows = figures.best
    .slice(3)
    .map(
      (work) =>
        html`<li class="row">${coverOf(shown, work, 20)}<span class="text">${linked(shown, work.id, titleMarkup(visit, work))}</span>${mark(visit, work)}</li>`,
    )
  return part(
    title,
    '',
    html`<div class="year-best"><ul class="cards">${cards}</ul>${rows.length === 0 ? '' : html`<ul class="rows">${rows}</ul>`}</div>`,
  )
}

const mark = (visit: Visit, work: RatedYearWork): Markup => ratingMark(visit, work, spriteIcon)

const linked = ({ visit, works }: ShownYear, id: number, content: Markup): Markup =>
  works.has(id) ? html`<a href="${workPath(visit, id)}">${content}</a>` : content

const coverOf = ({ visit, works }: ShownYear, work: RatedYearWork | YearEnd['work'], width: number): Markup =>
  cover(visit, works.get(work.id) ?? { ...work, cover_hash: null }, width)

function monthsPart({ visit, figures }: ShownYear): Markup {
  const { t } = visit
  const bars = figures.months.map(([month, episodes, films]): Bar => {
    const day = Date.UTC(Math.floor(month / 12), month % 12) / dayLength
    const label = t.stats.monthLabel(formatDay(visit, day, 'shortMonth'))
    return {
      label,
      name: html`${formatDay(visit, day, 'month')}`,
      count: episodes + films,
      more: [episodes, films],
    }
  })
  const narrow = figures.months.map(([month]) =>
    t.stats.narrowMonth(
      formatDay(visit, Date.UTC(Math.floor(month / 12), month % 12) / dayLength, 'shortMonth'),
    ),
  )
  const [best] = figures.months.toSorted(([, one, films], [, other, others]) => other + others - one - films)
  if (best === undefined || bars.reduce((sum, { count }) => sum + count, 0) < fewest) return html``
  const day = Date.UTC(Math.floor(best[0] / 12), best[0] % 12) / dayLength
  const sentence = t.stats.most(formatDay(visit, day, 'longMonth'), t.diary.counts(best[1], best[2]))
  const heads = [t.profilePage.month, t.stats.together, t.stats.episodesHead, t.stats.filmsHead]
  const chart = { name: 'months', title: t.stats.byMonth, sentence, bars, narrow, heads }
  return part(t.stats.byMonth, '', html`<p>${sentence}</p>${columnChart(visit, chart)}`)
}

function endOf(shown: ShownYear, { work, episode, lap, day, minute }: YearEnd): Markup {
  const { visit } = shown
  const { t } = visit
  const clock = minute === null ? '' : `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
  const what = episode === null ? '' : episodeName(visit, episode)
  return html`<div class="year-end">${coverOf(shown, work, 56)}<p><span class="meta">${t.year.atTime(formatDay(visit, day, 'day'), clock)}</span><b>${linked(shown, work.id, titleMarkup(visit, work))}</b><span class="meta">${what}${lap > 1 ? ` ${t.year.lap(lap)}` : ''}</span></p></div>`
}

function also({ visit, figures }: ShownYear): Markup {
  const { t } = visit
  const { streak, busiest, again, dropped, finished, studio } = figures
  const item = (count: number, text: string) =>
    html`<div><dt>${text}</dt><dd>${count.toLocaleString('en')}</dd></div>`
  const day = (number: number) => formatDay(visit, number, 'day')
  return html`<dl class="figures year-also">${streak === null ? '' : html`<div><dt>${t.year.streak(day(streak.first))}</dt><dd>${figure('streak', streak.length, String(streak.length))}</dd></div>`}${busiest === null ? '' : item(busiest.plays, t.year.busiest(day(busiest.day)))}${again === 0 ? '' : item(again, t.year.again(again))}${item(dropped, t.year.dropped(finished))}${studio === null ? '' : item(studio.works, t.year.studio(makerName(visit, studio)))}</dl>`
}

/** `plays`: of all time. */
export function emptyYear({ t }: Visit, profile: string, plays: readonly CountedPlay[]): Markup {
  const last = plays
    .filter(({ precision }) => precision !== 'none')
    .reduce((latest, { at }) => Math.max(latest, at), Number.NEGATIVE_INFINITY)
  const year = new Date(last).getUTCFullYear()
  const link = Number.isFinite(last)
    ? html`<a class="button" href="${profile}/${year}">${t.stats.lastWith(year)}</a>`
    : ''
  return html`<div class="nothing">${waves()}<h2>${t.stats.nothingThen}</h2>${link}</div>`
}
