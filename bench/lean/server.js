import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fastify from 'fastify'

/**
 * What a lean program on Node.js does for a page of works and a new record: Fastify, and better-sqlite3 on kiroku's tables,
 * with the same answers and the same promise that a record is on disk. It keeps no answer, logs nothing and limits
 * nobody. `node bench/lean/server.js DATA`
 */
const database = new Database(join(process.argv[2] ?? '', 'kiroku.db'))
for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on', 'cache_size = -8000'])
  database.pragma(pragma)

const baseUrl = 'http://127.0.0.1'

const workColumns = `id, title, title_kana, title_en, media, season_year, season, released_on, released_on_about,
  official_site_url, wikipedia_url, twitter_username, twitter_hashtag, syobocal_tid, mal_anime_id, og_image_url,
  avatar_mini_url, avatar_normal_url, avatar_bigger_url, avatar_original_url, twitter_image_url, recommended_url,
  episodes_count, watchers_count, reviews_count, no_episodes,
  (select hash from images where work_id = works.id and ifnull(user_id, 0) = 0) as cover_hash,
  ifnull((select estimated from episodes where work_id = works.id and hidden = 0
    order by sort_number desc, id desc limit 1), 0) as estimated`

const select = {
  token: database.prepare(`select user_id from tokens join users on users.id = user_id
    where token_hash = ? and disabled_at is null`),
  works: database.prepare(`select ${workColumns} from works where hidden = 0 order by id limit ? offset ?`),
  worksCount: database.prepare('select count(*) as n from works where hidden = 0'),
  episode: database.prepare('select id, work_id from episodes where id = ? and hidden = 0'),
  record: database.prepare('select * from records where id = ?'),
  user: database.prepare(`select id, username, name, description, url, avatar_url, background_image_url,
    records_count, created_at from users where id = ?`),
  work: database.prepare(`select ${workColumns} from works where id = ?`),
  recorded: database.prepare(`select id, number, number_text, sort_number, title, records_count,
    record_comments_count, estimated from episodes where id = ?`),
}

const insert = {
  record: database.prepare(`
    insert into records (user_id, work_id, episode_id, comment, rating_state, watched_at, created_at, lap)
    values (:user_id, :work_id, :episode_id, :comment, :rating_state, :now, :now,
      ifnull((select max(number) from laps where user_id = +:user_id and work_id = +:work_id), 1))`),
  activity: database.prepare(`insert into activities (user_id, work_id, action, record_id, created_at)
    values (?, ?, 'create_record', ?, ?)`),
}

const mediaTexts = { tv: 'TV', ova: 'OVA', movie: '映画', web: 'Web', other: 'その他' }
const seasonTexts = { spring: '春', summer: '夏', autumn: '秋', winter: '冬' }

function workOf(row) {
  const { season_year, season, estimated, cover_hash } = row
  const year = season_year === null ? '' : `${season_year}年`
  const version = createHash('md5').update(`${row.title}${row.media}${season_year}${season}`).digest('hex')
  const drawn = `${baseUrl}/covers/${row.id}.svg?v=${version.slice(0, 6)}`
  const known = [row.recommended_url, row.og_image_url, row.avatar_bigger_url, row.twitter_image_url]
  return {
    id: row.id,
    title: row.title,
    title_kana: row.title_kana,
    title_en: row.title_en,
    media: row.media,
    media_text: mediaTexts[row.media],
    season_name: season_year === null ? '' : `${season_year}-${season ?? 'all'}`,
    season_name_text: `${year}${seasonTexts[season] ?? ''}`,
    released_on: row.released_on,
    released_on_about: row.released_on_about,
    official_site_url: row.official_site_url,
    wikipedia_url: row.wikipedia_url,
    twitter_username: row.twitter_username,
    twitter_hashtag: row.twitter_hashtag,
    syobocal_tid: row.syobocal_tid,
    mal_anime_id: row.mal_anime_id,
    images: {
      facebook: { og_image_url: row.og_image_url },
      twitter: {
        mini_avatar_url: row.avatar_mini_url,
        normal_avatar_url: row.avatar_normal_url,
        bigger_avatar_url: row.avatar_bigger_url,
        original_avatar_url: row.avatar_original_url,
        image_url: row.twitter_image_url,
      },
      recommended_url: known.find((url) => url !== '') ?? '',
      cover_url: cover_hash === null ? drawn : `${baseUrl}/images/${cover_hash}-640.webp`,
    },
    episodes_count: row.episodes_count,
    watchers_count: row.watchers_count,
    reviews_count: row.reviews_count,
    no_episodes: row.no_episodes === 1,
    estimated: estimated === 1,
  }
}

const userOf = (row) => ({
  ...row,
  avatar_url: row.avatar_url || `${baseUrl}/assets/avatar.svg`,
  background_image_url: row.background_image_url || `${baseUrl}/assets/background.svg`,
  created_at: new Date(row.created_at).toISOString(),
})

function recordOf(id) {
  const row = select.record.get(id)
  const watched = new Date(row.watched_at).toISOString()
  const episode = select.recorded.get(row.episode_id)
  return {
    id,
    comment: row.comment,
    rating: row.rating,
    rating_state: row.rating_state,
    is_modified: row.is_modified === 1,
    likes_count: row.likes_count,
    comments_count: row.comments_count,
    created_at: watched,
    watched_at: watched,
    watched_at_precision: row.watched_at_precision,
    lap: row.lap,
    private: row.private === 1,
    user: userOf(select.user.get(row.user_id)),
    work: workOf(select.work.get(row.work_id)),
    episode: { ...episode, estimated: episode.estimated === 1 },
  }
}

const write = database.transaction((user_id, { episode_id, comment = '', rating_state = null }) => {
  const episode = select.episode.get(episode_id)
  if (episode === undefined) throw Object.assign(new Error('no such episode'), { statusCode: 404 })
  const { work_id } = episode
  const now = Date.now()
  const row = { user_id, work_id, episode_id, comment, rating_state, now }
  const id = Number(insert.record.run(row).lastInsertRowid)
  insert.activity.run(user_id, work_id, id, now)
  return id
})

function callerOf({ headers }) {
  const secret = headers.authorization?.slice('Bearer '.length) ?? ''
  const token = select.token.get(createHash('sha256').update(secret).digest())
  if (token === undefined) throw Object.assign(new Error('no such token'), { statusCode: 401 })
  return token.user_id
}

const app = fastify()

app.get('/v1/works', (request) => {
  callerOf(request)
  const page = Number(request.query.page ?? 1)
  const perPage = Number(request.query.per_page ?? 25)
  const works = select.works.all(perPage, (page - 1) * perPage).map(workOf)
  const { n } = select.worksCount.get()
  const last = Math.ceil(n / perPage)
  return {
    works,
    total_count: n,
    next_page: page < last ? page + 1 : null,
    prev_page: Math.min(page - 1, last) || null,
  }
})

app.post('/v1/me/records', (request) => recordOf(write.immediate(callerOf(request), request.body)))

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listening on http://127.0.0.1:${app.server.address().port}`)
