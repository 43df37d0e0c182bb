import { type Fields, fieldsOf, idIn, objectsIn, textIn } from '../../transfer/readers/fields'
import type { WorkRef } from '../../transfer/row'
import { ignored, type PlayerReader } from '../report'
import { instantSaid, objectAt, playsOf, refsIn, saidText, titlesIn } from './said-values'

/** Webhooks of Plex (Plex Pass), in the field `payload`. */
export const plex: PlayerReader = (body) => {
  const user = saidText(objectAt(body, 'Account').title)
  const item = fieldsOf(body.Metadata)
  const isRating = body.event === 'media.rate'
  if (body.event !== 'media.scrobble' && !isRating) return ignored('event', user)
  if (item.type !== 'episode' && item.type !== 'movie') return ignored('not_video', user)
  const rating = isRating ? Number(textIn(item.userRating) || Number.NaN) : undefined
  if (rating !== undefined && !(rating >= 0 && rating <= 10)) return ignored('event', user)
  return { user, rating, plays: playsOfMetadata(item, item.type === 'movie') }
}

function playsOfMetadata(item: Fields, isMovie: boolean) {
  const agent = ofAgent(textIn(item.guid), isMovie)
  return playsOf({
    titles: isMovie
      ? titlesIn(item.originalTitle, item.title)
      : titlesIn(item.grandparentOriginalTitle, item.grandparentTitle),
    refs: [...agent.refs, ...(isMovie ? refsOfGuids(item.Guid) : [])],
    isMovie,
    season: agent.isWork ? undefined : item.parentIndex,
    episode: item.index,
    airDate: item.originallyAvailableAt,
    year: item.year,
  })
}

/** `Guid` of a film; that of an episode has the episode's ids. */
const refsOfGuids = (guids: unknown): readonly WorkRef[] =>
  objectsIn(guids).flatMap(({ id }) => {
    const [, site = '', number] = /^(\w+):\/\/(\d+)$/.exec(textIn(id)) ?? []
    return refsIn({ [site]: number }, true)
  })

interface AgentId {
  readonly refs: readonly WorkRef[]
  /** The id is of one work, whose seasons say nothing. */
  readonly isWork: boolean
}

/**
 * Ids of former agents, which are of the series: `com.plexapp.agents.hama://anidb-11523/1/12`, `tvdb2-…`, `tmdb-…`, `tsdb-…`,
 * `com.plexapp.agents.thetvdb://305075/1/13`.
 */
function ofAgent(guid: string, isMovie: boolean): AgentId {
  const [, agent = '', kind = '', number] =
    /^com\.plexapp\.agents\.(\w+):\/\/(?:([a-z]+)\d?-)?(\d+)/.exec(guid) ?? []
  const site = agent === 'hama' ? hamaSites.get(kind) : agent
  const refs = idIn(number) === undefined ? [] : refsIn({ [site ?? '']: number }, isMovie)
  return { refs, isWork: agent === 'hama' && kind === 'anidb' }
}

const hamaSites = new Map([
  ['anidb', 'anidb'],
  ['tvdb', 'tvdb'],
  ['tmdb', 'tmdb'],
  ['tsdb', 'tmdb'],
])

/** Tautulli, which reports for Plex without Plex Pass: the webhook agent with the template that the settings propose; ids are of the series or the film. */
export const tautulli: PlayerReader = (body) => {
  const user = saidText(body.user)
  if (body.action !== 'watched') return ignored('event', user)
  const isMovie = body.media_type === 'movie'
  if (!isMovie && body.media_type !== 'episode') return ignored('not_video', user)
  const ids = { anidb: body.anidb_id, tmdb: body.themoviedb_id, tvdb: body.thetvdb_id }
  const plays = playsOf({
    titles: isMovie ? titlesIn(body.title) : titlesIn(body.show_name),
    refs: refsIn(ids, isMovie),
    isMovie,
    season: body.season_num,
    episode: body.episode_num,
    airDate: body.air_date,
    year: body.year,
    watchedAt: instantSaid(body.utctime),
  })
  return { user, plays }
}

/** What Tautulli is told to send, as JSON: its words in braces stand for values. */
export const tautulliTemplate = JSON.stringify(
  {
    action: 'watched',
    user: '{username}',
    ...Object.fromEntries(
      [
        ...[
          'media_type',
          'show_name',
          'title',
          'year',
          'season_num',
          'episode_num',
          'air_date',
          'thetvdb_id',
        ],
        ...['themoviedb_id', 'imdb_id', 'anidb_id', 'progress_percent', 'utctime'],
      ].map((name) => [name, `{${name}}`]),
    ),
  },
  null,
  1,
)
