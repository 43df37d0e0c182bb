type Shape = Readonly<Record<string, string>>

/** The keys of each object, by its path. */
export const importShape: Shape = {
  '': `id, source, file_name, state, conflict, score_format, time_zone, include_private, all_private, user, complete_watched,
    partial, counts, adds, lists, progress, waiting, asks, error, left, created_at, applied_at, undone_at`,
  '.counts': 'new, unchanged, conflict, check, not_found, skipped, error',
  '.adds': 'records, statuses, reviews, listed',
  '.progress': 'done, total',
  '.asks': 'name, options',
}

export const rowShape: Shape = {
  '': `row, source_id, title, state, reason, matched_by, work_id, status, episodes, grows_to, rating, score, review_body,
    started_on, finished_on, rewatches, lists, records, here, file_total, catalogue_total, warnings, continues_at,
    proposals`,
  '.records': 'episode, watched_at, watched_at_precision, lap, rating_state, comment',
  '.here': 'status, episodes, rating, score, review_body',
  '.proposals': 'work_id, title, year, media',
}

const feedShape = { '': 'id, name, wanted, alarm, with_rule, created_at, last_used_at' }

const slotShape = {
  '': 'id, weekday, time, time_zone, every_weeks, begins_on, first_episode, skipped, channel, changed_at',
  '.channel': 'id, name',
}

const counts = 'episodes, films'

/** In the seed nothing was watched again. */
const statisticsShape = {
  '': `from, until, time_zone, media, ${counts}, works_finished, minutes, undated, days, longest_streak, current_streak,
    episodes_per_week, years, months, weekdays, hours, media_counts, decades, ratings, scores, mean_score, completion, rewatched`,
  '.years': `year, ${counts}`,
  '.months': `month, ${counts}`,
  '.media_counts': 'media, works, episodes',
  '.decades': 'decade, works',
  '.ratings': 'bad, average, good, great',
  '.completion': 'watched, watching, on_hold, stop_watching',
}

const hookShape = {
  '': `id, player, name, player_user, heard_user, threshold, set_status, dry_run, activity, created_at, last_used_at,
    revoked_at`,
}

const messageShape = {
  '': 'id, kind, items, state, tries, created_at, next_at, ended_at, http_status, why',
}

const deliveryShape = {
  '': `id, received_at, player, said, result, reason, rule, work_id, episode, record_ids, proposals`,
  '.said': 'title, season, episode',
  '.proposals': 'work_id, title, year, episode',
}

const waitingShape = {
  '': 'id, title, season, plays, first_episode, last_episode, reason, proposals',
  '.proposals': 'work_id, title, year, episode',
}

/** Lists of the caller's own broadcast times, feeds and players, by path. */
export const ownShapes: Readonly<Record<string, Shape>> = {
  '/v1/me/slots': slotShape,
  '/v1/me/feeds': feedShape,
  '/v1/me/notification_settings': { '': 'quiet_from, quiet_to, digest, here' },
  '/v1/me/stats': statisticsShape,
  '/v1/me/hooks': hookShape,
  '/v1/me/destinations': { '': 'id, kind, host, events, is_on, last_ok_at, created_at' },
  '/v1/me/destinations/1/messages': messageShape,
  '/v1/me/deliveries': deliveryShape,
  '/v1/me/inbox': waitingShape,
}
