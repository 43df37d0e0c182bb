import { html, type Markup } from '../../pages/html'
import { icon, waves } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { wholeNumber } from '../../values/number'
import { readOrNotFound, type Visit } from '../../web/visit'
import { isOwn, type ShownUser, userPath } from '../parts/find-user'
import { dayLength, type Month, monthNumber, monthOf } from './month'
import type { WatchedKey } from './queries'

const years = wholeNumber(1900, 9998)
const months = wholeNumber(1, 12)

export const yearAndMonth = (visit: Visit): Month => ({
  year: yearOfPath(visit),
  month: readOrNotFound(months, visit.params.month),
})

export const yearOfPath = ({ params }: Visit): number => readOrNotFound(years, params.year)

export const diaryPath = (visit: Visit, user: ShownUser, { year, month }: Month): string =>
  `${userPath(visit, user)}/diary/${year}/${month}`

interface Head extends Month {
  readonly title: string
  readonly counted: readonly Pick<WatchedKey, 'is_viewing'>[]
}

export function headOf(visit: Visit, user: ShownUser, { title, counted, ...month }: Head): Markup {
  const films = counted.filter(({ is_viewing }) => is_viewing === 1).length
  const count =
    counted.length === 0 ? '' : html` <small>${visit.t.diary.counts(counted.length - films, films)}</small>`
  return html`<a class="back" href="${userPath(visit, user)}">${icon('back', 16)}${user.name}</a>
    <div class="head"><h1>${title}${count}</h1>${monthLinks(visit, user, month)}</div>`
}

/** The keys [ and ] follow `rel`; there is no link to future months. */
function monthLinks(visit: Visit, user: ShownUser, month: Month): Markup {
  const at = monthNumber(month)
  const name = (number: number) => {
    const one = monthOf(number)
    return formatDay(visit, Date.UTC(one.year, one.month - 1) / dayLength, 'shortMonth')
  }
  const path = (number: number) => diaryPath(visit, user, monthOf(number))
  const isPast = at < monthNumber(readerTime(visit, visit.now))
  const next = isPast ? html`<a rel="next" href="${path(at + 1)}">${name(at + 1)}${icon('next', 14)}</a>` : ''
  return html`<nav class="segments" aria-label="${visit.t.diary.months}"><a rel="prev" href="${path(at - 1)}">${icon('back', 14)}${name(at - 1)}</a><a aria-current="page" href="${path(at)}">${name(at)}</a>${next}<a href="${userPath(visit, user)}/diary/${month.year}">${visit.t.diary.wholeYear}</a><a href="${userPath(visit, user)}/diary" data-keys="t" hidden>${visit.t.keys.today}</a></nav>`
}

export function noEntries(visit: Visit, user: ShownUser): Markup {
  const { t, basePath } = visit
  if (!isOwn(visit, user)) return html`<div class="nothing">${waves()}<h2>${t.diary.nothing}</h2></div>`
  return html`<div class="nothing">${waves()}<h2>${t.diary.nothing}</h2><p>${t.diary.nothingExplained}</p>
    <a class="button filled" href="${basePath}/">${t.diary.toTrack}</a></div>`
}
