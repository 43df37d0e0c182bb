import { planMeeting } from '../../src/social/meetings/plan-meeting'
import type { Instance } from './instance'

/** A date of somebody's, tomorrow. */
export async function meetingOf({ deps }: Instance, userId: number): Promise<number> {
  return await planMeeting(deps, userId, {
    ...{ episodeId: 2, count: 1, isOpen: true, named: ['mio'], beginsAt: deps.now() + 86_400_000 },
    ...{ place: '#room', text: 'みんなで' },
  })
}

export async function openReport({ deps }: Instance): Promise<number> {
  const about = { reporter_id: 1, user_id: 2, record_id: 1, reason: 'spam', text: '', copy: 'よかった' }
  const { id } = await deps.write((tx) =>
    tx
      .insertInto('reports')
      .values({ ...about, created_at: deps.now() })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

export async function joinRequest({ deps }: Instance): Promise<number> {
  const row = {
    ...{ username: 'tsumugi', username_key: 'tsumugi', email: 'tsumugi@example.com', password_hash: '' },
    ...{ question: '参加したい理由を教えてください。', answer: '紅茶とアニメが好きです。', language: 'ja' },
    created_at: deps.now(),
  }
  const [made] = await deps.write((tx) =>
    tx.insertInto('join_requests').values(row).returning('id').execute(),
  )
  return made?.id ?? 0
}
