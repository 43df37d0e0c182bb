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

/** A change of two fields of work 1 by hand. Returns its id. */
export function catalogueChange({ store }: Instance, user: number): number {
  const columns = 'kind, work_id, subject_kind, subject_id, user_id, created_at'
  const [made] = store.handle
    .query<{ id: number }, [number]>(
      `insert into catalogue_changes (${columns}) values ('edit', 1, 'work', 1, ?, 1) returning id`,
    )
    .all(user)
  const id = made?.id ?? 0
  for (const field of ['title_en', 'title_kana'])
    store.handle.run(`insert into catalogue_change_fields (change_id, kind, row_id, field, before, after, owner_after)
      values (${id}, 'work', 1, '${field}', '"x"', '"y"', 1)`)
  return id
}

/** Of another English title of work 1. Returns its id. */
export function suggestion({ store }: Instance, user: number): number {
  const content = JSON.stringify([{ field: 'title_en', before: '', after: 'Sea' }])
  const columns =
    'kind, work_id, subject_kind, subject_id, user_id, content, source_url, created_at, updated_at'
  const [made] = store.handle
    .query<{ id: number }, [number, string]>(
      `insert into catalogue_proposals (${columns})
       values ('edit', 1, 'work', 1, ?, ?, 'https://example.com/', 1, 1) returning id`,
    )
    .all(user, content)
  return made?.id ?? 0
}
