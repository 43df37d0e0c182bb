import { html, type Markup } from '../../pages/html'
import { spriteIcon } from '../../pages/icons'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { channelName } from '../parts/channel'
import { cover, workPath } from '../parts/cover'
import { episodeName, episodePath, shortEpisodeName } from '../parts/episode-name'
import type { CalendarEntry, CalendarWork, UntimedWork } from './calendar'

/** Where an entry leads: to its episode, else to the work. */
export const entryPath = (visit: MemberVisit, { workId, episode }: CalendarEntry): string =>
  episode === undefined ? workPath(visit, workId) : episodePath(visit, { ...episode, work_id: workId })

export type EntryState = 'recorded' | 'aired' | 'coming'

export function stateOf({ now }: MemberVisit, { isRecorded, at }: CalendarEntry): EntryState {
  if (isRecorded) return 'recorded'
  return at <= now ? 'aired' : 'coming'
}

export interface EntryParts {
  readonly hasCover: boolean
  /** Once it has aired. */
  readonly hasButton: boolean
}

/** The link's name is time, title, episode and state. */
export function entryRow(visit: MemberVisit, entry: CalendarEntry, parts: EntryParts): Markup {
  const { t } = visit
  const { work, kind, episode } = entry
  const state = stateOf(visit, entry)
  const button = parts.hasButton && state === 'aired' ? recordButton(visit, entry) : ''
  const id = parts.hasButton && state !== 'coming' ? html` id="${rowId(entry)}"` : ''
  const of = episode === undefined ? '' : html` data-episode="${episode.id}"${id}`
  const said = state === 'aired' ? html`<span class="unseen">${t.calendar.aired}</span>` : ''
  const done =
    state === 'recorded'
      ? html`<span class="state seen">${spriteIcon('check')}<span class="unseen">${t.calendar.recorded}</span></span>`
      : said
  return html`<li class="entry ${state} ${kind}" data-entry data-work="${work.id}" data-kind="${kind}"${of}>${parts.hasCover ? cover(visit, work, 32) : ''}<a href="${entryPath(visit, entry)}"><span class="at"><b>${entry.clock}</b>${marks(visit, entry)}</span>${titleMarkup(visit, work)}<span class="meta">${secondLine(visit, entry)}</span>${done}</a>${button}</li>`
}

/** Repeats have the same episode. */
const rowId = ({ episode, isRebroadcast, at }: CalendarEntry) =>
  `e${episode?.id ?? 0}${isRebroadcast ? `-${Math.floor(at / 60_000)}` : ''}`

function marks({ t }: MemberVisit, { kind, isFirst, isLast, isRebroadcast }: CalendarEntry): Markup {
  const mark = (isOn: boolean, text: string) => (isOn ? html` <em>${text}</em>` : '')
  const estimated = kind === 'rule' ? html` <span class="estimated">${t.calendar.estimated}</span>` : ''
  return html`${mark(isFirst && !isRebroadcast, t.calendar.starts)}${mark(isLast && !isRebroadcast, t.calendar.last)}${mark(isRebroadcast, t.calendar.again)}${estimated}`
}

function secondLine(visit: MemberVisit, { kind, episode, channel }: CalendarEntry): Markup {
  const { t } = visit
  const parts = [
    ...(episode === undefined ? [] : [html`${shortEpisodeName(visit, episode)}`]),
    ...(kind === 'own' ? [html`${t.calendar.own}`] : []),
    ...(channel === undefined ? [] : [channelName(t, channel.name)]),
    ...(kind === 'rule' && channel === undefined ? [html`${t.calendar.byRule}`] : []),
  ]
  return html`${parts.map((part, at) => (at === 0 ? part : html` · ${part}`))}`
}

function recordButton(visit: MemberVisit, entry: CalendarEntry): Markup | '' {
  const { work, episode } = entry
  if (episode === undefined || entry.isRebroadcast) return ''
  const name = visit.t.track.record(chosenTitle(visit, work).text, episodeName(visit, episode))
  return actForm(
    visit,
    {
      ...{ act: 'record', path: '/record', fields: { once: 1 } },
      swap: `#${rowId(entry)}, #day-strip`,
    },
    html`<button class="check aired" name="episode_id" value="${episode.id}" data-keys="r" aria-label="${name}">${spriteIcon('check')}</button>`,
  )
}

export const releaseRow = (visit: MemberVisit, work: CalendarWork): Markup =>
  html`<li class="release" data-work="${work.id}"><em>${visit.t.calendar.released}</em> <a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a></li>`

/** The last of its day: a day rather than a time, which one press makes one's own. */
export function habitRow(visit: MemberVisit, { work, next, habit }: UntimedWork): Markup {
  const { t } = visit
  if (habit === undefined) return html``
  const { dayNumber, clock } = readerTime(visit, habit.at)
  const when = t.slot.habitually(formatDay(visit, dayNumber, 'shortWeekday'), clock)
  const minute = `${Math.floor(habit.minute / 60)}:00`
  const fields = {
    ...{ work_id: work.id, weekday: habit.weekday, time: minute, time_zone: visit.preferences.timeZone },
    begins_on: '',
  }
  const name = t.calendar.keepFor(chosenTitle(visit, work).text, when)
  const of = next?.id === undefined ? '' : html` data-episode="${next.id}"`
  return html`<li class="entry habit" data-entry data-work="${work.id}" data-kind="habit"${of}>${cover(visit, work, 32)}<a href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}<span class="meta">${next === undefined ? '' : html`${shortEpisodeName(visit, next)} · `}${t.calendar.usually(when)}</span></a>${actForm(visit, { act: 'slot_set', path: '/calendar/slot', fields, swap: '#calendar' }, html`<button class="small" aria-label="${name}">${t.calendar.keep}</button>`)}</li>`
}

/** A work without a time, and the way to give it one. */
export function untimedRow(visit: MemberVisit, { work, next }: UntimedWork): Markup {
  const { t, basePath } = visit
  const title = chosenTitle(visit, work).text
  const back = encodeURIComponent('/calendar')
  return html`<li class="row" data-work="${work.id}">${cover(visit, work, 32)}
    <div class="text"><a class="work" href="${workPath(visit, work.id)}">${titleMarkup(visit, work)}</a>${
      next === undefined ? '' : html`<p class="meta">${t.calendar.nextIs(shortEpisodeName(visit, next))}</p>`
    }</div>
    <a class="button outlined small" href="${basePath}/works/${work.id}/slot?return_to=${back}" data-dialog aria-label="${t.slot.setFor(title)}">${t.slot.title}</a></li>`
}
