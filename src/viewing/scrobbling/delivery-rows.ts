import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { titleMarkup } from '../../pages/title'
import type { DeliveryResult } from '../../scrobble/deliveries'
import type { KeptDelivery } from '../../scrobble/list-deliveries'
import { csrfInput } from '../../web/form-markup'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { shortEpisodeName } from '../parts/episode-name'
import { type FoundWork, foundWorks } from '../search/queries'

/** What a player said → which work → what was done and why, by days. */
export async function deliveryRows(
  visit: MemberVisit,
  deliveries: readonly KeptDelivery[],
): Promise<readonly Markup[]> {
  const { deps, session } = visit
  const ids = JSON.stringify([...new Set(deliveries.flatMap(({ workId }) => workId ?? []))])
  const works = new Map(
    (await foundWorks(deps.seen, { ids, user: session.userId })).map((work) => [work.id, work]),
  )
  const byDay = Map.groupBy(deliveries, ({ receivedAt }) => readerTime(visit, receivedAt).dayNumber)
  return [...byDay].map(
    ([day, some]) =>
      html`<h3 class="meta">${formatDay(visit, day, 'weekdayAndDay')}</h3><ol class="import-rows deliveries">${some.map(
        (one) => deliveryRow(visit, one, works.get(one.workId ?? 0)),
      )}</ol>`,
  )
}

const icons: Readonly<Record<DeliveryResult['result'], IconName>> = {
  recorded: 'check',
  rated: 'check',
  duplicate: 'equal',
  unmatched: 'question',
  ignored: 'banned',
}

const looks: Readonly<Record<DeliveryResult['result'], string>> = {
  recorded: 'seen',
  rated: 'seen',
  duplicate: 'soft',
  unmatched: 'hold',
  ignored: 'soft',
}

function deliveryRow(visit: MemberVisit, one: KeptDelivery, work: FoundWork | undefined): Markup {
  const { t } = visit
  const { result, said } = one
  const player = one.hookName ?? t.scrobbling.byToken
  const aired = one.airDate === null ? [] : [t.scrobbling.aired(one.airDate)]
  const facts = [player, ...one.ids.slice(0, 2), ...aired].join(' · ')
  const mark = html`<span class="state ${looks[result]}">${icon(icons[result], 16)}${t.scrobbling.results[result]}</span>`
  return html`<li class="import-row delivery" id="delivery-${one.id}"><div class="import-line"><div class="import-file"><b>${saidName(said)}</b><small>${timeMarkup(visit, one.receivedAt, 'clock')} · ${facts}</small></div>${workOf(visit, one, work)}
    <div class="import-adds">${mark}<small>${why(visit, one)}</small></div><div class="import-mark">${menu(visit, one)}</div></div></li>`
}

/** `薬屋のひとりごと S3 E7`, as the player said it. */
function saidName({ title, season, episode }: KeptDelivery['said']): string {
  const place = [...(season === null ? [] : [`S${season}`]), ...(episode === null ? [] : [`E${episode}`])]
  return [title, ...place].filter((part) => part !== '').join(' ')
}

function workOf(visit: MemberVisit, one: KeptDelivery, work: FoundWork | undefined): Markup {
  const { t } = visit
  if (work === undefined) {
    if (one.result !== 'unmatched') return html`<div class="import-work"></div>`
    const count = one.proposals.length
    return html`<div class="import-work"><span class="no-cover">${icon('find', 14)}</span><span class="text"><b>${t.scrobbling.notDecided}</b>${count === 0 ? '' : html`<small>${t.scrobbling.proposals(count)}</small>`}</span></div>`
  }
  const number =
    one.episode === null ? '' : shortEpisodeName(visit, { number: String(one.episode), number_text: '' })
  return html`<div class="import-work">${cover(visit, work, 38)}<div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a><small>${number}</small></div></div>`
}

function why({ t }: MemberVisit, { result, reason, rule, isUndone, isDry }: KeptDelivery): string {
  if (isUndone) return t.scrobbling.undone
  if (isDry && (result === 'recorded' || result === 'rated')) return t.scrobbling.dry
  if (result === 'duplicate') return t.scrobbling.sameEpisode
  return rule === null ? reasonText(t.scrobbling.reasons, reason) : reasonText(t.scrobbling.rules, rule)
}

/** '' for a name that a former version kept. */
export const reasonText = (texts: Readonly<Record<string, string>>, name: string | null): string =>
  Object.entries(texts).find(([one]) => one === name)?.[1] ?? ''

/** Undo for what was recorded; what was not can be decided again. */
function menu(visit: MemberVisit, one: KeptDelivery): Markup {
  const { t, basePath } = visit
  const name = saidName(one.said)
  const undo =
    one.canUndo && one.actId !== null
      ? actForm(
          visit,
          { act: 'undo', path: '/undo', fields: { act_id: one.actId } },
          html`<button aria-label="${t.history.undo(name)}">${icon('undo')}${t.shell.undo}</button>`,
        )
      : ''
  const again = one.canUndo
    ? ''
    : html`<form method="post" action="${basePath}/settings/scrobbling/deliveries/${one.id}/again">${csrfInput(visit)}<button aria-label="${t.scrobbling.againOf(name)}">${icon('again')}${t.scrobbling.again}</button></form>`
  return html`<details class="menu" name="menu"><summary aria-label="${t.scrobbling.menuOf(name)}">${icon('more')}</summary><div class="entries">${undo}${again}</div></details>`
}
