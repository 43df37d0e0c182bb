import { afterAll, expect, test } from 'bun:test'
import { beforeAll, lastActive } from '../../src/viewing/people/last-active'
import { createInstance } from '../support/instance'

const kiroku = await createInstance()
afterAll(kiroku.close)

test('the order of at most 100,000 members is kept: those who joined last, of those who did nothing (promise 12)', async () => {
  kiroku.store.handle.run(
    `with recursive numbers (id) as (select 1001 union all select id + 1 from numbers where id < 101050)
     insert into users (id, username, username_key, name, email, email_key, password_hash, created_at)
     select id, 'p' || id, 'p' || id, '', 'p' || id, 'p' || id, '', 1 from numbers`,
  )
  const asked = { viewer: 1, isApart: 0, after: beforeAll, limit: 200_000 } as const
  const { deps } = kiroku
  const members = await lastActive({ read: deps.read, crowd: deps.crowdAs(1) }, asked)
  expect([members.length, members[0]?.id, members.at(-1)?.id]).toEqual([100_000, 101_050, 1051])
}, 120_000)
