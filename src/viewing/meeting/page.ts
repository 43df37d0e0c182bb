import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { chosenTitle, titleMarkup } from '../../pages/title'
import { nextEpisodes } from '../../social/meetings/plan-meeting'
import { definePage, member } from '../../web/page'
import type { FormProblem } from '../../web/problem'
import { type MemberVisit, pathId } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName } from '../parts/episode-name'
import { personLink } from '../parts/opinion'
import { seasonName } from '../parts/season'
import { guardsSpoilers } from '../parts/spoilers'
import { commentsSection } from '../thread/comments'
import { mediumName } from '../work/facts'
import { againAt } from './form'
import { type Companion, findMeeting, type MeetingView } from './view'

/** A date to watch together (D79): when and where, who comes, and what they say. */
export const meetingPage = definePage({
  path: '/meetings/:id',
  access: member,
  show: async (visit) => await showMeeting(visit, await findMeeting(visit, pathId(visit)), {}),
})

/** `typed`: the text of a comment that was refused, and why. */
export async function showMeeting(
  visit: MemberVisit,
  meeting: MeetingView,
  typed: { readonly text?: string; readonly problem?: FormProblem },
): Promise<PageContent> {
  const { t } = visit
  const title = t.meeting.title(episodesText(visit, meeting))
  const main = html`<article class="meeting" id="meeting" data-meeting="${meeting.id}"><a class="back" href="${visit.basePath}/">${icon('back', 16)}${t.track.title}</a>
    ${ofWork(visit, meeting)}<h1>${title}</h1>${when(visit, meeting)}${await standing(visit, meeting)}${people(visit, meeting)}</article>
    ${await talk(visit, meeting, typed)}`
  const named = `${title} · ${chosenTitle(visit, meeting).text}`
  return { title: named, main, place: 'track', ...(typed.problem && { status: typed.problem.status }) }
}

/** `Episode 6`, `Episode 6–8`; the work's whole where it has no episode any more. */
function episodesText(visit: MemberVisit, { episodes }: Pick<MeetingView, 'episodes'>): string {
  const [first] = episodes
  const last = episodes.at(-1)
  if (first === undefined || last === undefined) return visit.t.work.whole
  const from = episodeName(visit, first)
  return last === first ? from : visit.t.meeting.range(from, last.number ?? episodeName(visit, last))
}

function ofWork(visit: MemberVisit, meeting: MeetingView): Markup {
  const { t } = visit
  const { work_id, hidden, episodes_count } = meeting
  const facts = [
    mediumName(visit, meeting.media),
    seasonName(visit, meeting),
    t.meeting.episodes(episodes_count),
  ]
  const inner = html`${cover(visit, { ...meeting, id: work_id }, 40)}<span class="text"><b>${titleMarkup(visit, meeting)}</b><small>${facts.filter((fact) => fact !== '').join(' · ')}</small></span>`
  return hidden === 1
    ? html`<p class="of-work">${inner}</p>`
    : html`<a class="of-work" href="${workPath(visit, work_id)}">${inner}</a>`
}

function when(visit: MemberVisit, meeting: MeetingView): Markup {
  const { begins_at, location, body, cancelled_at } = meeting
  const time = readerTime(visit, begins_at)
  const iso = new Date(begins_at).toISOString()
  const [monthName, weekday] = (['shortMonth', 'shortWeekday'] as const).map((part) =>
    formatDay(visit, time.dayNumber, part),
  )
  const month = visit.t.meeting.month(monthName ?? '', weekday ?? '')
  const text = body === '' ? '' : html`<p class="comment" dir="auto">${body}</p>`
  return html`<div class="box meeting-when"><div class="which-day"><b>${time.day}</b><span class="meta">${month}</span></div>
      <div class="text"><p><time datetime="${iso}"><b>${time.clock}</b></time> <span class="meta">${cancelled_at === null ? fromNow(visit, begins_at) : visit.t.meeting.cancelled}</span></p>${location === '' ? '' : html`<p dir="auto">${location}</p>`}${text}</div>${hostMenu(visit, meeting)}</div>`
}

/** `in 22 hours`, `58 minutes ago` */
function fromNow({ t, now }: MemberVisit, at: number): string {
  const minutes = Math.round((at - now) / 60_000)
  const format = new Intl.RelativeTimeFormat(t.language.locale)
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return Math.abs(hours) < 48 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day')
}

function hostMenu(
  { t, basePath }: MemberVisit,
  { id, isHost, done_at, cancelled_at }: MeetingView,
): Markup | '' {
  if (!isHost || done_at !== null || cancelled_at !== null) return ''
  return html`<details class="menu" name="menu"><summary aria-label="${t.meeting.menu}">${icon('more')}</summary>
    <div class="entries"><a href="${basePath}/meetings/${id}/edit">${icon('pen')}${t.meeting.change}</a><hr /><a class="danger" href="${basePath}/meetings/${id}/cancel">${icon('close')}${t.meeting.cancel}…</a></div></details>`
}

const swap = '#meeting, #comments'

/** What the reader can do now: answer, say that they watched it, or do the same again. */
async function standing(visit: MemberVisit, meeting: MeetingView): Promise<Markup | ''> {
  const { t, now } = visit
  const { own, done_at, cancelled_at, begins_at } = meeting
  if (cancelled_at !== null) return html`<p class="note">${icon('close')}${t.meeting.isCancelled}</p>`
  const isIn = own?.answer === 'in'
  const again = isIn && begins_at <= now ? await sameAgain(visit, meeting) : ''
  if (done_at !== null)
    return html`<p class="state seen">${icon('check', 16)}${t.meeting.watched}</p>${again}`
  if (begins_at > now || !isIn) return answerForms(visit, meeting)
  return html`${pressForm(visit, meeting)}${again}`
}

function answerForms(visit: MemberVisit, meeting: MeetingView): Markup {
  const { t } = visit
  const { id, own } = meeting
  const form = { act: 'meeting_answer', path: '/meetings/answer', swap }
  const marks = own?.marks_too ?? 0
  const choice = (answer: 'in' | 'maybe' | 'out') =>
    html`<button name="answer" value="${answer}" data-focus="answer-${answer}" aria-pressed="${String(own?.answer === answer)}">${t.meeting.answers[answer]}</button>`
  const answers = actForm(
    visit,
    { ...form, fields: { meeting_id: id, marks_too: marks } },
    html`${choice('in')}${choice('maybe')}${choice('out')}`,
  )
  const isComing = own?.answer === 'in' || own?.answer === 'maybe'
  const box = html`<button class="box-press" name="marks_too" value="${1 - marks}" aria-pressed="${String(marks === 1)}" aria-describedby="marks-hint" data-focus="marks"><span class="mark">${marks === 1 ? icon('check', 16) : ''}</span>${t.meeting.marksToo}</button>
    <p class="hint" id="marks-hint">${t.meeting.marksHint(episodesText(visit, meeting))}</p>`
  const marking = isComing
    ? actForm(visit, { ...form, fields: { meeting_id: id, answer: own.answer ?? 'in' } }, box)
    : ''
  return html`<div class="meeting-answers" role="group" aria-label="${t.meeting.answer}">${answers}</div>${marking}`
}

function pressForm(visit: MemberVisit, meeting: MeetingView): Markup {
  const { t, session } = visit
  const coming = meeting.people.filter(({ answer }) => answer === 'in' || answer === 'maybe')
  const isRecorded = ({ answer, marks_too }: Companion) => answer === 'in' && marks_too === 1
  const name = ({ user_id, username }: Companion) => (user_id === session.userId ? t.meeting.you : username)
  const list = new Intl.ListFormat(t.language.locale)
  const [recorded, asked] = [coming.filter(isRecorded), coming.filter((one) => !isRecorded(one))]
  const said = [
    recorded.length === 0
      ? ''
      : t.meeting.records(episodesText(visit, meeting), list.format(recorded.map(name))),
    asked.length === 0 ? '' : t.meeting.asks(list.format(asked.map(name))),
  ]
  const form = { act: 'meeting_done', path: '/meetings/done', fields: { meeting_id: meeting.id }, swap }
  return html`${actForm(visit, form, html`<button class="filled wide" data-focus="done">${icon('check')}${t.meeting.done}</button>`)}<p class="meta">${said.filter((text) => text !== '').join(' ')}</p>`
}

/** The date of the next episode, once it is made. */
async function sameAgain(visit: MemberVisit, meeting: MeetingView): Promise<Markup | ''> {
  const { t, basePath, deps } = visit
  if (meeting.next_id !== null)
    return html`<p><a class="button wide" href="${basePath}/meetings/${meeting.next_id}">${t.meeting.next}</a></p>`
  if (meeting.hidden === 1 || (await nextEpisodes(deps.seen, meeting.id)) === undefined) return ''
  const { dayNumber, clock } = readerTime(visit, againAt(visit, meeting.begins_at))
  const at = t.time.onDay(formatDay(visit, dayNumber, 'weekdayAndDay'), clock)
  const form = { act: 'meeting', path: '/meetings/again', fields: { meeting_id: meeting.id } }
  return actForm(visit, form, html`<button class="wide">${t.meeting.again(at)}</button>`)
}

function people(visit: MemberVisit, meeting: MeetingView): Markup {
  const { t } = visit
  const count = (answer: string) => meeting.people.filter((one) => one.answer === answer).length
  return html`<section class="companions"><h2>${t.meeting.people} <small>${t.meeting.count(count('in'), count('maybe'))}</small></h2>
    <ul class="rows">${meeting.people.map((one) => companion(visit, meeting, one))}</ul></section>`
}

function companion(visit: MemberVisit, { user_id, done_at }: MeetingView, one: Companion): Markup {
  const { t } = visit
  const host = one.user_id === user_id ? html` <span class="meta">${t.meeting.host}</span>` : ''
  const marked = html`<span class="state seen">${icon('check', 14)}${t.meeting.marked}</span>`
  const state =
    done_at !== null && one.is_marked === 1
      ? marked
      : html`<span class="meta">${t.meeting.answers[one.answer ?? 'asked']}${howFar(visit, one)}</span>`
  return html`<li class="row companion" data-user="${one.username}" data-answer="${one.answer ?? 'asked'}"><span class="text">${personLink(visit, one)}${host}</span>${state}</li>`
}

/** As far as the reader sees what they recorded. */
function howFar(visit: MemberVisit, { number, number_text, is_behind, answer }: Companion): Markup | '' {
  if (number_text === null || answer === 'out') return ''
  const text = visit.t.meeting.upTo(episodeName(visit, { number, number_text }))
  return html` · <span${is_behind === 1 ? html` class="behind"` : ''}>${text}</span>`
}

/** What was written after it was watched is folded for whoever has not recorded it. */
async function talk(
  visit: MemberVisit,
  meeting: MeetingView,
  typed: { readonly text?: string; readonly problem?: FormProblem },
): Promise<Markup> {
  const { t, basePath } = visit
  const { id, done_at, episodes, later_count, own } = meeting
  const hasSeen = episodes.every(({ is_recorded }) => is_recorded === 1)
  const isFolded = done_at !== null && later_count > 0 && !hasSeen && guardsSpoilers(visit)
  const link = `${basePath}/meetings/${id}?spoilers=show#comments`
  const fold = html`<div class="fold">${icon('eye')}<span class="text">${t.meeting.folded(later_count)}</span><a class="button small" href="${link}">${t.work.showSpoilers}</a></div>`
  const folded = isFolded && typed.text === undefined ? { folded: { after: done_at, fold } } : {}
  return await commentsSection(
    visit,
    { ...meeting, kind: 'meeting', isAsked: own !== undefined, ...folded },
    typed,
  )
}
