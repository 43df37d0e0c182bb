import type { CoveredWork } from '../../catalogue/cover-path'
import type { Read } from '../../db/open'
import type { Titles } from '../../pages/title'
import { recordsWithEpisodes, viewingsWithWorks, type WatchedKey } from './queries'

/** Something watched, as the diary shows it. */
export interface DiaryEntry extends WatchedKey, Titles, Omit<CoveredWork, 'id'> {
  readonly work_id: number
  readonly text: string
  readonly rating: string | null
  /** 1 if the work or the episode has no page. */
  readonly hidden: number
  /** 1 if the reader has watched it, so that the text spoils nothing. */
  readonly was_seen: number
  /** Undefined for a film. */
  readonly episode: DiaryEpisode | undefined
}

interface DiaryEpisode {
  readonly id: number
  readonly work_id: number
  readonly number: string | null
  readonly number_text: string
  readonly title: string
  readonly is_only: number
}

/** In the order of the keys. */
export async function entriesOf(
  read: Read,
  keys: readonly WatchedKey[],
  reader: number,
): Promise<readonly DiaryEntry[]> {
  const idsOf = (is_viewing: number) =>
    JSON.stringify(keys.filter((key) => key.is_viewing === is_viewing).map(({ id }) => id))
  const records = new Map((await recordsWithEpisodes(read, { ids: idsOf(0), reader })).map(byId))
  const viewings = new Map((await viewingsWithWorks(read, { ids: idsOf(1), reader })).map(byId))
  return keys.flatMap((key): DiaryEntry[] => {
    if (key.is_viewing === 1) {
      const viewing = viewings.get(key.id)
      return viewing === undefined ? [] : [{ ...viewing, ...key, episode: undefined }]
    }
    const record = records.get(key.id)
    return record === undefined ? [] : [{ ...record, ...key, episode: episodeOf(record) }]
  })
}

const byId = <R extends { readonly id: number }>(row: R): readonly [number, R] => [row.id, row]

type RecordRow = Awaited<ReturnType<typeof recordsWithEpisodes>>[number]

const episodeOf = ({ episode_id, work_id, number, number_text, episode_title, is_only }: RecordRow) => ({
  id: episode_id,
  work_id,
  number,
  number_text,
  title: episode_title,
  is_only,
})
