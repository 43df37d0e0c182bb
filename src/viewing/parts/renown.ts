import { sql } from 'kysely'

/**
 * SQL order of `works` joined with one's own `statuses`: best known first. Counts watchers except oneself, so that
 * choosing a work does not move it. Newer works have no popularity yet: those in more databases come first, then those
 * of popular series, other sequels, and those with more names. Uses external_ids_local and series_works_work.
 */
export const byRenown = sql`
  watchers_count - ifnull(statuses.kind in ('wanna_watch', 'watching', 'watched'), 0) desc,
  popularity desc,
  (select count(*) from external_ids where local_id = works.id and external_ids.kind = 'work') desc,
  (select ifnull(max(other.popularity), 0) from series_works as own
    join series_works as beside on beside.series_id = own.series_id
    join works as other on other.id = beside.work_id where own.work_id = works.id) desc,
  exists (select 1 from series_works as own join series_works as beside on beside.series_id = own.series_id
    where own.work_id = works.id and beside.work_id <> works.id) desc,
  (select count(*) from work_aliases where work_id = works.id)
    + (select count(*) from search_names where work_id = works.id) desc,
  works.id`
