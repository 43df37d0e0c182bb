import type { ImportDeps } from './list-import'
import type { StoredImport } from './import-store'
import { matchOf } from './rows/stored-row'

const columns = [
  ...['row', 'source_id', 'state', 'reason', 'work_id', 'annict_id', 'mal_id', 'anilist_id', 'anidb_id'],
  ...['bangumi_id', 'tmdb_id', 'title', 'year', 'status', 'progress', 'rating', 'comment', 'started_on'],
  ...['finished_on', 'rewatches'],
]
