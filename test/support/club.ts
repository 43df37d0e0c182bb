import { createInstance, type Instance } from './instance'
import { createMember, type Visitor } from './visitor'

// mio (1) is the host, Ritsu_T (2) and azusa (4) come. Work 1 has the episodes 1 to 4.
export let kiroku: Instance
export let mio: Visitor
export let ritsu: Visitor
export let azusa: Visitor
/** Everything anew. */
export async function openClub(): Promise<void> {
  kiroku = await createInstance()
  kiroku.store.handle.run(
    "update users set time_zone = 'Asia/Tokyo', has_long_nights = 0, guards_spoilers = 1",
  )
  mio = await createMember(kiroku, 'mio')
  ritsu = await createMember(kiroku, 'Ritsu_T')
  azusa = await createMember(kiroku, 'azusa')
}

type Row = Record<string, unknown>
export const rows = (sql: string, ...values: (string | number)[]) =>
  kiroku.store.handle.query<Row, (string | number)[]>(sql).all(...values)

export const hour = 3_600_000
/** A day and a time in Tokyo, so many hours from now. */
export function inHours(hours: number) {
  const [date = '', time = ''] = new Date(kiroku.clock.now + (hours + 9) * hour)
    .toISOString()
    .slice(0, 16)
    .split('T')
  return { date, time }
}
export const planned = (more: Readonly<Record<string, string>> = {}) => ({
  ...{ episode_id: '2', count: '1', ...inHours(24), place: '#room', text: '', for: 'named' },
  ...{ people: 'Ritsu_T azusa' },
  ...more,
})
export const plan = (more?: Readonly<Record<string, string>>, by = mio) =>
  by.submit('/works/1/meeting', planned(more), '/meetings')
export const lastMeeting = () => Number(rows('select max(id) as id from meetings')[0]?.id)
export const answer = (who: Visitor, answered: string, marksToo = '0', id = lastMeeting()) =>
  who.submit(`/meetings/${id}`, { answer: answered, marks_too: marksToo }, '/meetings/answer')
export const press = (who: Visitor, id = lastMeeting()) => who.submit(`/meetings/${id}`, {}, '/meetings/done')
export const told = (user: number) =>
  rows(
    'select meeting_step as step from notifications where user_id = ? and meeting_id is not null order by id',
    user,
  ).map(({ step }) => step)
export const answersNow = () =>
  rows(
    'select user_id, answer, marks_too from meeting_people where meeting_id = ? order by user_id',
    lastMeeting(),
  )
export const recordsOf = (user: number) =>
  rows(
    'select episode_id, watched_at, watched_at_precision from records where user_id = ? and created_at = ?',
    user,
    kiroku.clock.now,
  )
/** It has begun. */
export const pass = () => {
  kiroku.clock.now += 24 * hour + 60_000
}
