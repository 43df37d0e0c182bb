import { sql } from 'kysely'
import { isShown } from '../../catalogue/shown'
import { isShownProgram } from '../../library/programs'
import { annictId, column, constant, one, ref, wholeNumber } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'
import { noGroup } from './channel-group'
import { syobocalId } from './program'

export const channel = defineType('Channel', {
  table: 'channels',
  isShown: () => isShown('channels'),
  merges: 'channels',
  fields: {
    annictId,
    channelGroup: one(
      'ChannelGroup!',
      'channelGroup',
      () => sql`ifnull(channels.channel_group_id, ${sql.lit(noGroup)})`,
    ),
    name: column('String!', 'name', ref('channels.name')),
    programs: many({
      of: 'Program',
      from: sql`programs`,
      id: sql.ref('programs.id'),
      parent: sql.ref('programs.channel_id'),
      where: () => sql`programs.episode_id is not null and ${isShownProgram}`,
      order: { by: sql.ref('programs.started_at') },
    }),
    published: constant('Boolean!', true),
    scChid: column(
      'Int!',
      'scChid',
      () => syobocalId('channel', sql.ref('channels.id')),
      (id) => wholeNumber(id as string | null) ?? 0,
    ),
  },
})
