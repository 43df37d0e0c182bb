type Shape = Readonly<Record<string, string>>

/** The keys of each object, by its path. */
export const importShape: Shape = {
  '': `id, source, file_name, state, conflict, score_format, time_zone, include_private, user, complete_watched,
    partial, counts, adds, progress, waiting, asks, error, left, created_at, applied_at, undone_at`,
  '.counts': 'new, unchanged, conflict, check, not_found, skipped, error',
  '.adds': 'records, statuses, reviews',
  '.progress': 'done, total',
  '.asks': 'name, options',
}

export const rowShape: Shape = {
  '': `row, source_id, title, state, reason, matched_by, work_id, status, episodes, grows_to, rating, review_body,
    started_on, finished_on, rewatches, records, here, file_total, catalogue_total, warnings, continues_at,
    proposals`,
  '.records': 'episode, watched_at, watched_at_precision, lap, rating_state, comment',
  '.here': 'status, episodes, rating, review_body',
  '.proposals': 'work_id, title, year, media',
}

export const feedShape = { '': 'id, name, wanted, alarm, with_rule, created_at, last_used_at' }

export const slotShape = {
  '': 'id, weekday, time, time_zone, every_weeks, begins_on, first_episode, skipped, channel, changed_at',
  '.channel': 'id, name',
}
