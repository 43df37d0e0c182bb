import type { RawValues } from '../../http/request-values'
import { instantOf } from '../../lib/local-time'
import { listActs } from '../../library/acts/find-acts'
import { dayNumberOf } from '../../library/showings/own-slot'
import { slotClock, slotDay } from '../../library/showings/slots'
import type { Message } from '../../messages/languages'
import { html } from '../../pages/html'
import type { PageContent } from '../../pages/layout'
import {
  answerMeeting,
  answers,
  cancelMeeting,
  changeMeeting,
  longestPlace,
  longestText,
  MeetingRefused,
  mostDates,
  mostEpisodes,
  mostPeople,
} from '../../social/meetings/meetings'
import { planMeeting, sameAgain } from '../../social/meetings/plan-meeting'
import { watchedTogether } from '../../social/meetings/watched'
import { positiveInteger, wholeNumber } from '../../values/number'
import { oneOf, prose } from '../../values/text'
import { InvalidValue, type Value } from '../../values/value'
import { setFlash } from '../../web/flash'
import { defineAction, defineForm, formText } from '../../web/form'
import { member, type PageRoute, seeOther } from '../../web/page'
import { FormProblem, namedProblem } from '../../web/problem'
import { safeReturn } from '../../web/return-to'
import { type MemberVisit, pathId } from '../../web/visit'
import { againAt, meetingFormWithProblem, ownMeeting } from './form'
import { findMeeting } from './view'

/** What people do with a date (D79): no acts, since nothing of a library changes but by the press that they watched it. */
export const meetingActs: readonly PageRoute[] = [
  planning('/meetings', async (visit, sent) => {
    const { deps, session } = visit
    return await planMeeting(deps, session.userId, {
      ...textsIn(visit, sent),
      episodeId: valueIn(sent, 'episode_id', positiveInteger),
      count: valueIn(sent, 'count', wholeNumber(1, mostEpisodes)),
      isOpen: formText(sent, 'for') === 'all',
      named: formText(sent, 'people')
        .split(/[\s,、@]+/)
        .filter((name) => name !== ''),
    })
  }),
  planning('/meetings/change', async (visit, sent) => {
    const id = meetingIn(sent)
    await changeMeeting(visit.deps, visit.session.userId, { id, ...textsIn(visit, sent) })
    return id
  }),
  planning('/meetings/again', async (visit, sent) => {
    const meeting = await findMeeting(visit, meetingIn(sent))
    const beginsAt = againAt(visit, meeting.begins_at)
    return await sameAgain(visit.deps, visit.session.userId, { id: meeting.id, beginsAt })
  }),
  defineAction({
    path: '/meetings/answer',
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const answer = valueIn(sent, 'answer', oneOf(answers))
      const marksToo = formText(sent, 'marks_too') === '1'
      const outcome = await answerMeeting(deps, session.userId, { id: meetingIn(sent), answer, marksToo })
      setFlash(visit, { done: 'meeting_answered', full: 'meeting_full', closed: 'meeting_closed' }[outcome])
      return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
    },
  }),
  defineAction({
    path: '/meetings/done',
    access: member,
    run: async (visit, sent) => {
      const { deps, session } = visit
      const at = deps.now()
      const outcome = await watchedTogether(deps, session.userId, meetingIn(sent))
      const [last] = await listActs(deps.seen, session.userId, { before: Number.MAX_SAFE_INTEGER, limit: 1 })
      // Whoever agreed has their own record to undo.
      const isOwn = outcome === 'done' && last?.kind === 'record' && last.createdAt >= at
      if (isOwn) setFlash(visit, 'done', last.id)
      else setFlash(visit, `meeting_${outcome}`)
      return seeOther(visit, safeReturn(formText(sent, 'return_to'), deps.config.baseUrl))
    },
  }),
  ...defineForm({
    path: '/meetings/:id/cancel',
    access: member,
    fields: {},
    button: (t) => t.meeting.cancel,
    isDestructive: true,
    show: async (visit, form) => {
      const { id } = await ownMeeting(visit, pathId(visit))
      const { t, basePath } = visit
      return {
        title: t.meeting.cancelTitle,
        main: html`<h1>${t.meeting.cancelTitle}</h1><p>${t.meeting.cancelExplained}</p>${form}
          <p><a href="${basePath}/meetings/${id}">${t.meeting.back}</a></p>`,
        place: 'track',
      }
    },
    submit: async (visit) => {
      const { id } = await ownMeeting(visit, pathId(visit))
      await cancelMeeting(visit.deps, visit.session.userId, id)
      return seeOther(visit, `/meetings/${id}`)
    },
  }),
]

/** Leads to the date; a problem shows the form again, with what was typed. */
function planning(path: string, run: (visit: MemberVisit, sent: RawValues) => Promise<number>): PageRoute {
  return defineAction({
    path,
    access: member,
    run: async (visit, sent) => {
      try {
        return seeOther(visit, `/meetings/${await run(visit, sent)}`)
      } catch (cause) {
        const problem = cause instanceof MeetingRefused ? problemOf(cause) : cause
        if (!(problem instanceof FormProblem)) throw problem
        return await withProblem(visit, problem, sent)
      }
    },
  })
}

/** A button alone has no form to show again. */
async function withProblem(visit: MemberVisit, problem: FormProblem, sent: RawValues): Promise<PageContent> {
  if (!sent.has('date')) throw namedProblem(problem)
  return await meetingFormWithProblem(visit, problem, sent)
}

const refusals: Readonly<Record<Exclude<MeetingRefused['why'], 'nobody'>, Message>> = {
  past: (t) => t.meeting.past,
  far: (t) => t.meeting.far,
  dates: (t) => t.meeting.tooManyDates(mostDates),
  people: (t) => t.meeting.tooManyPeople(mostPeople),
  episodes: (t) => t.meeting.tooFewEpisodes,
}

const problemOf = ({ why, username }: MeetingRefused) =>
  why === 'nobody'
    ? new FormProblem('people', (t) => t.meeting.nobody(username))
    : new FormProblem(why, refusals[why])

const meetingIn = (sent: RawValues): number => valueIn(sent, 'meeting_id', positiveInteger)

/** A day and a time by the reader's clock, where and what for. */
function textsIn({ preferences }: MemberVisit, sent: RawValues) {
  const day = dayNumberOf(valueIn(sent, 'date', slotDay))
  const wall = day * 86_400_000 + valueIn(sent, 'time', slotClock) * 60_000
  return {
    beginsAt: instantOf(wall, preferences.timeZone),
    place: valueIn(sent, 'place', prose(longestPlace)),
    text: valueIn(sent, 'text', prose(longestText)),
  }
}

/** Browsers send a line break as CR LF. */
function valueIn<T>(sent: RawValues, field: string, value: Value<T>): T {
  const read = value.read(formText(sent, field).replaceAll('\r\n', '\n').trim())
  if (read instanceof InvalidValue)
    throw new FormProblem(field, (t) => `${labels[field]?.(t) ?? field}${t.common.colon}${read.rule(t)}`)
  return read
}

const labels: Readonly<Record<string, Message>> = {
  ...{ date: (t) => t.meeting.day, time: (t) => t.slot.time, place: (t) => t.meeting.where },
  ...{ text: (t) => t.meeting.text, count: (t) => t.meeting.howMany, episode_id: (t) => t.meeting.from },
}
