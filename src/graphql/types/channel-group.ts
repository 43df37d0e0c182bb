import { sql } from 'kysely'
import { isShown } from '../../catalogue/shown'
import { annictId, column, ref } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'

/** The number of the nameless group for channels that have none: in GraphQL every channel has one. */
export const noGroup = 0

const groups = sql`(
  select id, name, sort_number, hidden from channel_groups
  union all select ${sql.lit(noGroup)}, '', 0, 0) as grouped`

export const channelGroup = defineType('ChannelGroup', {
  table: 'grouped',
  from: groups,
  isShown: () => isShown('grouped'),
  fields: {
    annictId,
    channels: many({
      of: 'Channel',
      from: sql`channels`,
      id: sql.ref('channels.id'),
      parent: sql`ifnull(channels.channel_group_id, ${sql.lit(noGroup)})`,
      where: () => isShown('channels'),
    }),
    name: column('String!', 'name', ref('grouped.name')),
    sortNumber: column('Int!', 'sortNumber', ref('grouped.sort_number')),
  },
})
