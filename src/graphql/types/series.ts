import { sql } from 'kysely'
import { series as restSeries } from '../../catalogue/series'
import { isShown } from '../../catalogue/shown'
import { annictId, constant, fieldsOf } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'
import { workOrders } from '../filters/orders'

const field = fieldsOf(restSeries)
const { SEASON } = workOrders

export const series = defineType('Series', {
  table: 'series',
  isShown: () => isShown('series'),
  merges: 'series',
  fields: {
    annictId,
    name: field('String!', 'name'),
    nameEn: field('String!', 'name_en'),
    nameRo: field('String!', 'name_ro'),
    works: many({
      of: 'Work',
      named: 'SeriesWork',
      from: sql`series_works join works on works.id = series_works.work_id`,
      id: sql.ref('works.id'),
      parent: sql.ref('series_works.series_id'),
      where: () => isShown('works'),
      orders: { ...(SEASON && { SEASON }) },
      edge: {
        item: { type: 'Work!', resolve: (row) => row },
        summary: constant('String', null),
        summaryEn: constant('String', null),
      },
    }),
  },
})
