import { type RawBuilder, sql } from 'kysely'
import { isShown, isShownUnlessWithheld } from '../../catalogue/shown'
import { work as restWork } from '../../catalogue/works'
import { isShownProgram } from '../../library/programs'
import { annictId, column, constant, fieldsOf, ref, upperCase, wholeNumber } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'
import { byPlace, byStart, reviewOrders } from '../filters/orders'
import { hasText } from '../filters/rules'

const field = fieldsOf(restWork)

/** Includes hidden works with somebody's status, record or review (D42). */
export const isMet = sql<boolean>`(works.hidden = 0
  or exists (select 1 from statuses where statuses.work_id = works.id)
  or exists (select 1 from records where records.work_id = works.id)
  or exists (select 1 from reviews where reviews.work_id = works.id))`

export const work = defineType('Work', {
  table: 'works',
  isShown: () => isMet,
  merges: 'works',
  fields: {
    annictId,
    casts: many({
      of: 'Cast',
      from: sql`casts`,
      id: sql.ref('casts.id'),
      parent: sql.ref('casts.work_id'),
      where: () => isShownUnlessWithheld('casts'),
      orders: byPlace('casts'),
    }),
    // Not in Annict's schema (D114).
    coverUrl: field('String!', 'images', ({ cover_url }: { cover_url: string }) => cover_url),
    episodes: many({
      of: 'Episode',
      from: sql`episodes`,
      id: sql.ref('episodes.id'),
      parent: sql.ref('episodes.work_id'),
      where: () => isShown('episodes'),
      orders: byPlace('episodes'),
    }),
    episodesCount: field('Int!', 'episodes_count'),
    image: { type: 'WorkImage', sameRow: ['WorkImage'], resolve: (row) => row },
    malAnimeId: field('String', 'mal_anime_id'),
    media: field('Media!', 'media', upperCase),
    noEpisodes: field('Boolean!', 'no_episodes'),
    officialSiteUrl: field('String', 'official_site_url'),
    officialSiteUrlEn: constant('String', null),
    programs: many({
      of: 'Program',
      from: sql`programs`,
      id: sql.ref('programs.id'),
      parent: sql.ref('programs.work_id'),
      where: () => sql`programs.episode_id is not null and ${isShownProgram}`,
      ...byStart,
    }),
    reviews: many({
      of: 'Review',
      isShared: true,
      from: sql`reviews`,
      id: sql.ref('reviews.id'),
      parent: sql.ref('reviews.work_id'),
      orders: reviewOrders,
      filters: { hasBody: hasText('reviews.has_body') },
    }),
    reviewsCount: field('Int!', 'reviews_count'),
    satisfactionRate: column('Float', 'satisfactionRate', () => satisfaction),
    seasonName: column('SeasonName', 'seasonName', ref('works.season'), (season) =>
      upperCase(season as string | null),
    ),
    seasonYear: column('Int', 'seasonYear', ref('works.season_year')),
    seriesList: many({
      of: 'Series',
      from: sql`series_works join series on series.id = series_works.series_id`,
      id: sql.ref('series.id'),
      parent: sql.ref('series_works.work_id'),
      where: () => sql`${isShown('series')} and ${hasSeveralWorks}`,
    }),
    staffs: many({
      of: 'Staff',
      from: sql`staffs`,
      id: sql.ref('staffs.id'),
      parent: sql.ref('staffs.work_id'),
      where: () => isShownUnlessWithheld('staffs'),
      orders: byPlace('staffs'),
    }),
    syobocalTid: field('Int', 'syobocal_tid', wholeNumber),
    title: field('String!', 'title'),
    titleEn: field('String', 'title_en'),
    titleKana: field('String', 'title_kana'),
    titleRo: column('String', 'titleRo', ref('works.title_ro'), (title) => title || null),
    twitterHashtag: field('String', 'twitter_hashtag'),
    twitterUsername: field('String', 'twitter_username'),
    viewerStatusState: column('StatusState', 'viewerStatusState', viewerStatus, (kind) =>
      upperCase((kind ?? 'no_state') as string),
    ),
    watchersCount: field('Int!', 'watchers_count'),
    wikipediaUrl: field('String', 'wikipedia_url'),
    wikipediaUrlEn: constant('String', null),
  },
})

// uses reviews_work
const satisfaction = sql<number | null>`(
  select avg(case rating_overall_state when 'bad' then 0.0 when 'average' then 50.0 else 100.0 end)
  from main.reviews where reviews.work_id = works.id and withheld = 0 and rating_overall_state is not null)`

const hasSeveralWorks = sql<boolean>`(
  select count(*) from series_works as others join works as w on w.id = others.work_id
  where others.series_id = series.id and w.hidden = 0) > 1`

function viewerStatus(viewer: RawBuilder<number>) {
  return sql<string | null>`(
    select kind from statuses where statuses.user_id = ${viewer} and statuses.work_id = works.id)`
}
