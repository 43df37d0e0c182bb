import { sql } from 'kysely'
import { defineCommand } from '../api/command'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { computed } from '../api/nested-fields'
import { idParam } from '../api/param-kinds'
import { required } from '../api/params'
import { defineResource } from '../api/resource'
import { boolean, integer, text } from '../api/schema'
import { byId, byIds } from '../catalogue/filters'
import { anyRow, visibleRow } from '../catalogue/lookups'
import { isStation } from '../catalogue/shown'

const channel = defineResource('Channel', 'channels', () => ({
  id: integer('Channel id', 19),
  name: text('Name', '日本テレビ'),
}))

/** An extension (D52). */
export const myChannels = defineList({
  path: '/v1/me/channels',
  tag: 'Programs',
  summary: 'Extension: channels, and which of them the caller has chosen',
  key: 'channels',
  item: defineItem('channels', channel, {
    selected: computed(
      boolean('Whether the caller has chosen it'),
      (_, viewer) => sql<number>`exists (
        select 1 from user_channels where user_channels.user_id = ${viewer} and user_channels.channel_id = channels.id)`,
      (chosen) => chosen === 1,
    ),
  }),
  rows: { where: (eb) => eb.and([eb('channels.hidden', '=', 0), isStation(sql.ref('channels.id'))]) },
  filters: { filter_ids: byIds('channels') },
  sorts: { sort_id: byId },
})

const params = { channel_id: required(idParam('The channel', 19)) }

export const chooseChannel = defineCommand({
  method: 'POST',
  path: '/v1/me/channels',
  tag: 'Programs',
  summary: 'Extension: chooses a channel for /v1/me/programs',
  params,
  errors: ['not_found'],
  run: async ({ channel_id }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const id = await visibleRow(tx, 'channels', channel_id, 'The channel')
      const row = { user_id: viewer.userId, channel_id: id }
      await tx
        .insertInto('user_channels')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    return null
  },
})

/** Also works for a channel that has been hidden since. */
export const dropChannel = defineCommand({
  method: 'DELETE',
  path: '/v1/me/channels',
  tag: 'Programs',
  summary: 'Extension: removes a chosen channel',
  params,
  errors: ['not_found'],
  run: async ({ channel_id }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const id = await anyRow(tx, 'channels', channel_id, 'The channel')
      await tx
        .deleteFrom('user_channels')
        .where('user_id', '=', viewer.userId)
        .where('channel_id', '=', id)
        .execute()
    })
    return null
  },
})
