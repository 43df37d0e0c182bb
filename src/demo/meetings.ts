import type { Community, MemberState, Watching } from './community'
import { notificationRow } from './life'
import type { SeededRandom } from './random'
import type { DemoRows } from './rows'

/**
 * Dates to watch the next episode together (D79), in the two weeks after the simulated time. Their hosts ask some of those they
 * follow. With a stream of its own: other rows stay as they were.
 */
export function* meetingRows(community: Community, random: SeededRandom): DemoRows {
  const planned = community.memberStates.flatMap((host) => plan(community, host, random))
  for (const one of planned.toSorted((a, b) => a.created_at - b.created_at))
    yield* planRows(community, one, random)
}

interface PlannedMeeting {
  readonly host: MemberState
  readonly asked: readonly MemberState[]
  readonly current: Watching
  readonly created_at: number
}

function plan(
  { memberStates, until }: Community,
  host: MemberState,
  random: SeededRandom,
): readonly PlannedMeeting[] {
  const current = host.watching.find(
    ({ work, next }) => (work.airTimes[next] ?? Number.POSITIVE_INFINITY) <= until,
  )
  const asked = [...host.followed].slice(0, 6).flatMap((index) => memberStates.slice(index, index + 1))
  if (current === undefined || asked.length === 0 || !random.chance(0.3)) return []
  const since = Math.max(until - 3 * day, ...[host, ...asked].map(({ member }) => member.joinedAt))
  return [{ host, asked, current, created_at: Math.floor(random.between(since, until)) }]
}

function* planRows(
  { until }: Community,
  { host, asked, current: { work, next }, created_at }: PlannedMeeting,
  random: SeededRandom,
): DemoRows {
  const user_id = host.member.id
  const begins_at = Math.ceil((until + random.between(1, 14) * day) / hour) * hour
  const location = random.pick(places[host.member.language])
  const values = { user_id, work_id: work.id, begins_at, location, body: '', created_at }
  const is_open = Number(random.chance(0.3))
  const meeting_id = yield { table: 'meetings', values: { ...values, is_open, changed_at: created_at } }
  for (const episode_id of work.episodes.slice(next, next + 1))
    yield { table: 'meeting_episodes', values: { meeting_id, episode_id } }
  const own = { meeting_id, user_id, answer: 'in', answered_at: created_at }
  yield { table: 'meeting_people', values: own }
  for (const { member } of asked) {
    const answer = random.chance(0.2) ? null : random.pick(['in', 'in', 'maybe', 'out'])
    const answered_at = answer === null ? null : Math.floor(random.between(created_at, until))
    yield { table: 'meeting_people', values: { meeting_id, user_id: member.id, answer, answered_at } }
    const told = { user_id: member.id, actor_id: user_id, like_id: null, follow_id: null, comment_id: null }
    yield notificationRow(
      { random, until },
      { ...told, kind: 'meeting', meeting_id, meeting_step: 'asked', created_at },
    )
  }
}

const places = { ja: ['うち', '通話をつないで', ''], en: ['At my place', 'On a call', ''] } as const

const hour = 60 * 60 * 1000
const day = 24 * hour
