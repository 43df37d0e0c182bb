import Type from 'typebox'
import {
  alarmOf,
  createFeed,
  feedAddresses,
  feedPreferences,
  listFeeds,
  revokeOwnFeed,
} from '../accounts/calendar-feeds'
import { defineCommand, withApiErrors } from '../api/command'
import { envelope, nullable, pageOf, pagingFields, pagingParams, rangeOf } from '../api/paging'
import { flagParam, idParam, wordParam } from '../api/param-kinds'
import { param, required } from '../api/params'
import { boolean, dateTime, integer, text } from '../api/schema'
import { notFound } from '../http/errors'
import { withTimes } from '../lib/time'
import { lineUpTo } from '../values/text'

const feedSchema = Type.Object({
  id: integer('Feed id', 3),
  name: text('Name', 'Phone'),
  wanted: boolean('Whether it has the first episodes of planned works', true),
  alarm: nullable(Type.Integer({ description: 'Minutes before a broadcast', examples: [10] })),
  with_rule: boolean('Whether it has estimated times', true),
  created_at: dateTime('When it was made'),
  last_used_at: nullable(dateTime('When it was last read')),
})

/** An extension (D83). */
export const myFeeds = defineCommand({
  method: 'GET',
  path: '/v1/me/feeds',
  tag: 'Programs',
  summary: "Extension: the caller's calendar feeds, without their addresses",
  params: pagingParams,
  answers: () => envelope('feeds', feedSchema),
  items: 'feeds',
  run: async (query, { deps, viewer }) => {
    const feeds = await listFeeds(deps.read, viewer.userId)
    const page = pageOf(query)
    const { offset, limit } = rangeOf(page)
    const shown = feeds.slice(offset, offset + limit).map(({ last_agent, wanted, with_rule, ...feed }) => ({
      ...{
        id: feed.id,
        name: feed.name,
        wanted: wanted === 1,
        alarm: feed.alarm,
        with_rule: with_rule === 1,
      },
      ...withTimes({ created_at: feed.created_at, last_used_at: feed.last_used_at }),
    }))
    return { feeds: shown, ...pagingFields(page, feeds.length) }
  },
})

export const makeFeed = defineCommand({
  method: 'POST',
  path: '/v1/me/feeds',
  tag: 'Programs',
  summary: 'Extension: makes a calendar feed',
  description:
    'The addresses are in this answer only. Whoever has one can read it: give it to calendar applications only. At most 5.',
  params: {
    name: param(lineUpTo(50), 'What it is for; `kiroku` by default', 'Phone'),
    wanted: flagParam('Whether it has the first episodes of planned works; true by default'),
    alarm: wordParam(['none', '0', '10', '30'], 'Minutes before a broadcast; none by default'),
    with_rule: flagParam('Whether it has estimated times; true by default'),
  },
  answers: () =>
    Type.Object({
      id: integer('Feed id', 3),
      ics_url: text('For calendar applications (RFC 5545)', 'https://kiroku.example/feeds/kir_fd_….ics'),
      atom_url: text('For feed readers (RFC 4287)', 'https://kiroku.example/feeds/kir_fd_….atom'),
      following_url: text(
        'For feed readers: what those whom the caller follows do',
        'https://kiroku.example/feeds/kir_fd_…/following.atom',
      ),
    }),
  run: async ({ name = 'kiroku', wanted = true, alarm = 'none', with_rule = true }, { deps, viewer }) => {
    const { userId } = viewer
    const said = { userId, name, wanted, alarm: alarmOf(alarm), withRule: with_rule }
    return await withApiErrors(async () => {
      const feed = { ...said, ...(await feedPreferences(deps.readAs(userId), userId)) }
      const { id, secret } = await createFeed(deps, feed)
      const { ics, atom, following } = feedAddresses(deps.config.baseUrl, secret)
      return { id, ics_url: ics, atom_url: atom, following_url: following }
    })
  },
})

export const deleteFeed = defineCommand({
  method: 'DELETE',
  path: '/v1/me/feeds/:id',
  tag: 'Programs',
  summary: 'Extension: revokes a calendar feed',
  params: { id: required(idParam('The feed', 3)) },
  errors: ['not_found'],
  run: async ({ id }, { deps, viewer }) => {
    if (!(await revokeOwnFeed(deps, viewer.userId, id))) throw notFound('The feed')
    return null
  },
})
