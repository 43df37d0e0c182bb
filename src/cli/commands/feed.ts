import { findUser } from '../../accounts/account/user'
import {
  alarmOf,
  alarms,
  createFeed,
  feedAddresses,
  feedName,
  feedPreferences,
  listFeeds,
  revokeFeed,
} from '../../accounts/calendar-feeds'
import { withTimes } from '../../lib/time'
import type { Option } from '../../options/option'
import { oneOf } from '../../values/text'
import { baseUrlOf } from '../base-url'
import { type Command, json } from '../command'
import { withExistingStore, withStore } from '../open'
import { misuse } from '../parse'
import { table } from '../table'

const name: Option<string> = {
  name: 'name',
  type: 'TEXT',
  sentence: 'What the feed is called.',
  defaultText: 'kiroku',
  defaultValue: 'kiroku',
  value: feedName,
}

const alarm: Option<string> = {
  name: 'alarm',
  type: 'MINUTES',
  sentence: 'Reminds that long before a broadcast: none, 0, 10 or 30.',
  defaultText: 'none',
  defaultValue: 'none',
  value: oneOf(['none', ...alarms.map(String)]),
}

export const feedCreate: Command = {
  name: 'feed create',
  summary: 'Makes a calendar feed and prints only its address, which cannot be shown again.',
  operands: [{ name: 'USERNAME' }],
  options: [alarm, name],
  examples: ['kiroku feed create mio', 'kiroku feed create mio --alarm 10 --name Phone'],
  run: async (call) => {
    const [username = ''] = call.operands
    const baseUrl = baseUrlOf(call)
    const said = { name: call.get(name), alarm: alarmOf(call.get(alarm)), wanted: true, withRule: true }
    const { secret } = await withStore(call, async ({ read, write }) => {
      const userId = await findUser(read, username)
      const feed = { userId, ...said, ...(await feedPreferences(read, userId)) }
      return await createFeed({ write, now: call.now, random: call.random }, feed)
    })
    await call.print(feedAddresses(baseUrl, secret).ics)
  },
}

export const feedList: Command = {
  name: 'feed list',
  summary: 'Lists a user’s calendar feeds.',
  operands: [{ name: 'USERNAME' }],
  options: [json],
  examples: ['kiroku feed list mio', 'kiroku feed list mio --json'],
  run: async (call) => {
    const [username = ''] = call.operands
    const feeds = await withExistingStore(call, async ({ read }) =>
      listFeeds(read, await findUser(read, username)),
    )
    const shown = feeds.map(({ id, name, created_at, last_used_at }) =>
      withTimes({ id, name, created_at, last_used_at }),
    )
    if (call.get(json)) return await call.print(JSON.stringify(shown, null, 2))
    if (shown.length === 0) return await call.note('there are no feeds: see kiroku help feed create')
    const rows = shown.map((feed) => [
      ...[String(feed.id), feed.name, feed.created_at, feed.last_used_at ?? 'never'],
    ])
    await call.print(table([['ID', 'NAME', 'CREATED', 'LAST USED'], ...rows]))
  },
}

export const feedRevoke: Command = {
  name: 'feed revoke',
  summary: 'Revokes a calendar feed by its id, as shown by feed list.',
  operands: [{ name: 'ID' }],
  options: [],
  examples: ['kiroku feed revoke 3'],
  run: async (call) => {
    const [id = ''] = call.operands
    if (!/^[1-9][0-9]{0,14}$/.test(id)) throw misuse(feedRevoke, 'ID must be the number that feed list shows')
    await withStore(call, ({ write }) => revokeFeed({ write }, Number(id)))
    await call.print(`revoked the feed ${id}`)
  },
}
