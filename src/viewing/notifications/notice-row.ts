import { userAvatar } from '../../pages/avatar'
import { html, type Markup } from '../../pages/html'
import { type IconName, icon } from '../../pages/icons'
import { moment, timeMarkup } from '../../pages/moment'
import { chosenTitle, type Titles } from '../../pages/title'
import type { MemberVisit } from '../../web/visit'
import { actForm } from '../parts/act-form'
import { cover, workPath } from '../parts/cover'
import { episodeName, episodePath } from '../parts/episode-name'
import { listedFollowButton } from '../parts/follow'
import { beginningOf } from '../parts/opinion'
import type { Notice } from './notices'

/** Who or what it is from, what happened and when, and what can be done about it. */
export function noticeRow(visit: MemberVisit, notice: Notice): Markup {
  const { t } = visit
  const isNew = notice.read_at === null
  const mark = isNew ? html`<span class="unseen">${t.notifications.isNew} </span>` : ''
  const when = noticeTime(visit, notice)
  return html`<li class="row news" data-notification="${notice.id}"${isNew ? html` data-unread` : ''}>${sender(visit, notice)}<div class="text">${mark}<p>${sentence(visit, notice)}</p><p class="meta">${when}</p></div>${act(visit, notice)}</li>`
}

function noticeTime(
  visit: MemberVisit,
  { kind, began_at, begins_at, created_at, meeting_step }: Notice,
): Markup {
  if (kind === 'episode' && began_at !== null) return timeMarkup(visit, began_at, 'since')
  if (kind === 'meeting' && begins_at !== null && meeting_step !== 'watched')
    return timeMarkup(visit, begins_at, 'when')
  return moment(visit, created_at)
}

function sender(visit: MemberVisit, { kind, username, avatar_url }: Notice): Markup {
  if (username !== null) return userAvatar(visit, { username, avatar_url: avatar_url ?? '' })
  return html`<span class="sender">${icon(drawings[kind] ?? 'bell')}</span>`
}

/** Of what the system tells. */
const drawings: Readonly<Record<string, IconName>> = {
  ...{ report: 'flag', episode: 'calendar', meeting: 'calendar', destination_off: 'warning' },
  ...{ proposal_accepted: 'pen', proposal_rejected: 'pen' },
  ...{ import: 'upload', new_browser: 'question' },
}

function sentence(visit: MemberVisit, notice: Notice): Markup {
  const { t, basePath, session } = visit
  const about = subjectOf(visit, notice)
  const who = html`<b>${notice.username ?? ''}</b>`
  const to = (path: string, text: Markup) => html`<a href="${basePath}${path}">${text}</a>`
  switch (notice.kind) {
    case 'like':
      return to(threadPath(notice), html`${who}${t.notifications.liked(notice.likers - 1, about)}`)
    case 'comment': {
      const body = beginning(notice.body ?? '')
      const isOwn = notice.owner === session.userId
      const text = isOwn ? t.notifications.commented(about, body) : t.notifications.commentedToo(about, body)
      return to(`${threadPath(notice)}#comment-${notice.comment_id}`, html`${who}${text}`)
    }
    case 'meeting':
      return to(`/meetings/${notice.meeting_id}`, meetingSentence(visit, notice, about))
    case 'episode':
      return to(episodePath({ ...visit, basePath: '' }, episodeOf(notice)), html`<b>${about}</b>`)
    case 'destination_off':
      return html`${t.news.destinationOff}`
    case 'proposal':
      return to(proposalPath(notice), html`${who}${t.notifications.proposed(about)}`)
    case 'proposal_accepted':
      return to(proposalPath(notice), html`${t.notifications.proposalAccepted(about)}`)
    case 'proposal_rejected':
      return to(proposalPath(notice), html`${t.notifications.proposalRejected(about)}`)
    case 'import':
      return to('/settings/import', html`${t.notifications.imported}`)
    case 'new_browser':
      return to('/settings/sign_ins', html`${t.notifications.newBrowser}`)
    case 'report':
      return to('/admin/reports', html`${t.notifications.reported}`)
    default:
      return to(
        `/@${notice.username}`,
        html`${who}${notice.kind === 'follow' ? t.notifications.followed : t.notifications.accepted}`,
      )
  }
}

const proposalPath = ({ proposal_id }: Notice) => `/catalogue/proposals/${proposal_id}`

function meetingSentence(visit: MemberVisit, { meeting_step, username }: Notice, about: string): Markup {
  const { t } = visit
  const step = (['asked', 'moved', 'cancelled', 'watched'] as const).find((one) => one === meeting_step)
  return step === undefined || username === null
    ? html`<b>${t.meeting.told.soon(about)}</b>`
    : html`<b>${username}</b>${t.meeting.told[step](about)}`
}

function threadPath({ record_id, review_id, meeting_id }: Notice): string {
  if (meeting_id !== null) return `/meetings/${meeting_id}`
  return record_id === null ? `/reviews/${review_id}` : `/records/${record_id}`
}

/** In a line of a list. */
function beginning(text: string): string {
  const line = text.replaceAll('\n', ' ')
  const cut = beginningOf(line, 100)
  return cut === undefined ? line : `${cut}…`
}

/** `Garden of Falling Stars, episode 12`; '' without a work. */
function subjectOf(visit: MemberVisit, notice: Notice): string {
  if (notice.work_id === null) return ''
  const { text } = chosenTitle(visit, titlesOf(notice))
  const title = visit.t.activity.titled(text)
  if (notice.episode_id === null) return title
  return visit.t.notifications.episodeOf(title, episodeName(visit, episodeOf(notice)))
}

const titlesOf = ({ title, title_en, title_ro }: Notice): Titles => ({
  title: title ?? '',
  title_en: title_en ?? '',
  title_ro: title_ro ?? '',
})

const episodeOf = ({ episode_id, work_id, number, number_text, is_only }: Notice) => ({
  id: episode_id ?? 0,
  work_id: work_id ?? 0,
  number,
  number_text: number_text ?? '',
  is_only,
})

/** The act at the end of the row, or else the cover of what it is about. */
function act(visit: MemberVisit, notice: Notice): Markup | '' {
  const { kind, username, privacy, follows, asks } = notice
  if (kind === 'follow' && username !== null)
    return listedFollowButton(visit, { username, privacy: privacy ?? 'members', follows, asks })
  const isAsked = kind === 'episode' || (kind === 'meeting' && notice.meeting_step === 'watched')
  if (isAsked && notice.episode_id !== null && notice.is_recorded === 0) return recordForm(visit, notice)
  if (notice.work_id === null || notice.hidden !== 0) return ''
  const work = {
    ...{ id: notice.work_id, title: notice.title ?? '', media: notice.media ?? 'other' },
    ...{ season_year: notice.season_year, season: notice.season, cover_hash: notice.cover_hash },
  }
  return html`<a class="of" href="${workPath(visit, notice.work_id)}" aria-label="${chosenTitle(visit, titlesOf(notice)).text}">${cover(visit, work, 32)}</a>`
}

function recordForm(visit: MemberVisit, notice: Notice): Markup {
  const { t } = visit
  const label = t.track.record(
    chosenTitle(visit, titlesOf(notice)).text,
    episodeName(visit, episodeOf(notice)),
  )
  const form = { act: 'record', path: '/record', fields: { once: 1 }, swap: '#notices' }
  const button = html`<button class="tick aired" name="episode_id" value="${notice.episode_id ?? 0}" data-focus="record-${notice.id}" aria-label="${label}">${icon('check')}</button>`
  return actForm(visit, form, button)
}
