import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../../support/instance'
import { fill } from '../../support/seed'
import { createMember } from '../../support/visitor'

const kiroku = await createInstance()
afterAll(kiroku.close)

await fill(kiroku.store, {
  channel_groups: [
    { id: 1, name: '関東', sort_number: 20, source_id: 1 },
    { id: 2, name: 'BS', sort_number: 10, source_id: 1 },
  ],
  channels: [
    { id: 5, name: 'TOKYO MX', channel_group_id: 1, source_id: 1 },
    { id: 6, name: 'テレビ東京', channel_group_id: 1, hidden: 1, source_id: 1 },
    { id: 7, name: 'BS11', channel_group_id: 2, source_id: 1 },
    { id: 8, name: '配信', channel_group_id: null, source_id: 1 },
    { id: 9, name: 'テレビ（局未定）', channel_group_id: 1, source_id: 1 },
  ],
  // Not to choose, as nobody knows which station it is.
  external_ids: [{ kind: 'channel', ns: 'site', external_id: 'broadcast', local_id: 9 }],
})

const path = '/settings/channels'
const chosenBy = (user: number) =>
  kiroku.store.handle
    .query<never, [number]>('select channel_id from user_channels where user_id = ? order by channel_id')
    .values(user)
    .flat()
const rowOf = (text: string) => /<b>Channels<\/b>\s*<span class="value">([^<]*)</.exec(text)?.[1]

test('channels are chosen by group, separately for each user (D39)', async () => {
  const mio = await createMember(kiroku, 'mio', { language: 'en' })
  expect(rowOf((await mio.open('/settings')).text)).toBe('All')
  const { text } = await mio.open(path)
  expect(
    [...text.matchAll(/<legend>([^<]*)|checkbox"[^>]*>([^<]*)/g)].map(([, group, name]) => group ?? name),
  ).toEqual([...['BS', 'BS11', '関東', 'TOKYO MX', 'Others', '配信']])
  for (const channel of [6, 9])
    kiroku.store.handle.run(
      `insert into user_channels (user_id, channel_id) select id, ${channel} from users`,
    )
  const saved = await mio.submit(path, { channel_5: '1', channel_8: '1', channel_99: '1' })
  expect([saved.status, saved.location]).toEqual([303, '/settings'])
  // A channel that is currently hidden stays chosen, and is not counted.
  expect(chosenBy(1)).toEqual([5, 6, 8, 9])
  expect(rowOf((await mio.open('/settings')).text)).toBe('2')
  expect((await mio.open(path)).text.match(/name="channel_(\d+)" value="1" checked/g)).toEqual([
    'name="channel_5" value="1" checked',
    'name="channel_8" value="1" checked',
  ])
  expect(chosenBy(2)).toEqual([6, 9])
  await mio.submit(path, {})
  expect(chosenBy(1)).toEqual([6, 9])
})
