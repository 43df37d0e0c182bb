import { type StatusKind, statusKinds } from '../../../library/statuses'

export const tableFields = [
  ...(['title', 'year', 'season', 'media', 'status', 'progress', 'total', 'episode', 'watched_at'] as const),
  ...(['rating', 'score', 'comment', 'started_on', 'finished_on', 'rewatches', 'private'] as const),
  ...(['list', 'list_note', 'position', 'work_id'] as const),
  ...(['annict_id', 'mal_id', 'anilist_id', 'anidb_id', 'bangumi_id', 'tmdb_id'] as const),
] as const
export type TableField = (typeof tableFields)[number]

/** Which column of a table is which, from 0; `all` is the status of every row. */
export interface TableColumns {
  readonly columns: Readonly<Partial<Record<TableField, number>>>
  readonly all?: StatusKind | undefined
}

/** Names of columns in tables of people and products, as `columnKey` gives them; the best ones first. */
const names: Readonly<Record<TableField, string>> = {
  title:
    'title タイトル 題名 作品名 作品タイトル 番組名 animetitle アニメ名 seriestitle showtitle anime アニメ 作品 name 名前 名称 series show',
  year: 'year 年 放送年 公開年 製作年 制作年 releaseyear seasonyear startyear',
  season: 'season シーズン 期 seasonnumber',
  media: 'media type メディア 種別 種類 形式 mediatype format seriestype animetype',
  status: 'status ステータス 視聴状況 視聴状態 状態 状況 watchstatus mystatus state',
  progress:
    'progress 進捗 視聴話数 視聴済み話数 見た話数 watchedepisodes episodeswatched epswatched watchedeps mywatchedepisodes numwatchedepisodes',
  total:
    'total 全話数 総話数 話数 エピソード数 totalepisodes episodes episodecount seriesepisodes numepisodes eps',
  episode: 'episode エピソード エピソード番号 話 第何話 episodenumber ep',
  watched_at:
    'watchedat 視聴日時 視聴日 鑑賞日 見た日 観た日 記録日 日付 watcheddate watchedon datewatched watchdate date',
  rating: 'rating 評価 スコア 点数 採点 総合評価 星 score myrating myscore yourrating userrating stars',
  score: 'score',
  comment:
    'comment コメント 感想 メモ レビュー 一言 ひとこと 備考 comments note notes review memo mycomments',
  started_on: 'startedon 開始日 視聴開始日 見始めた日 startdate datestarted mystartdate started',
  finished_on:
    'finishedon 終了日 視聴終了日 完了日 視聴完了日 見終わった日 finishdate enddate datefinished completedon datecompleted completeddate myfinishdate finished completed',
  rewatches:
    'rewatches 再視聴回数 再視聴 見返し rewatchcount rewatched timesrewatched repeats repeat mytimeswatched',
  list: 'list lists リスト リスト名 collection collections コレクション',
  list_note: 'listnote リストのメモ',
  position: 'position 順番 順位',
  private: 'private isprivate onlyme 非公開 自分だけ プライベート',
  work_id: 'workid',
  annict_id: 'annictid annict annictのid',
  mal_id: 'malid mal myanimelistid myanimelist malのid seriesanimedbid',
  anilist_id: 'anilistid anilist anilistのid',
  anidb_id: 'anidbid anidb anidbのid aid',
  bangumi_id: 'bangumiid bangumi bgmid bgm',
  tmdb_id: 'tmdbid tmdb themoviedb',
}

/** `視聴 状況`, `My_Score` and `ＭＡＬ ID` as `視聴状況`, `myscore` and `malid`. */
export const columnKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The columns whose names say what they are; of several with one meaning the best one. */
export function knownColumns(header: readonly string[]): TableColumns {
  const keys = header.map(columnKey)
  const found = tableFields.flatMap((field): [TableField, number][] => {
    const at = names[field]
      .split(' ')
      .map((name) => keys.indexOf(name))
      .find((index) => index >= 0)
    return at === undefined ? [] : [[field, at]]
  })
  const columns: TableColumns['columns'] = Object.fromEntries(found)
  // Alone, it is of any scale.
  const { score, ...others } = columns
  return { columns: score === columns.rating ? others : columns }
}

const identifying = tableFields.filter((field) => field === 'title' || field.endsWith('_id'))
const telling = [
  ...(['status', 'progress', 'episode', 'watched_at', 'rating', 'score', 'comment'] as const),
  ...(['started_on', 'finished_on', 'rewatches', 'list'] as const),
]

/** Whether rows name a work and say anything about it. */
export const areEnough = ({ columns, all }: TableColumns): boolean =>
  identifying.some((field) => columns[field] !== undefined) &&
  (all !== undefined || telling.some((field) => columns[field] !== undefined))

/**
 * `title=作品名,status=3`: for each field the name of a column or its number from 1; `status=:watched` for every row.
 * Undefined if it is not of this form, names a column that is not in the header, or is not enough.
 */
export function columnsIn(text: string, header: readonly string[]): TableColumns | undefined {
  const said = columnsSaid(text, header)
  return said !== undefined && areEnough(said) ? said : undefined
}

/** The same if it is not enough. */
export function columnsSaid(text: string, header: readonly string[]): TableColumns | undefined {
  const columns: Partial<Record<TableField, number>> = {}
  let all: StatusKind | undefined
  for (const part of text.split(',')) {
    const [, name = '', value = ''] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/s.exec(part) ?? []
    const field = tableFields.find((one) => one === name)
    const kind = statusKinds.find((one) => value === `:${one}`)
    if (field === 'status' && kind !== undefined) all = kind
    else {
      const at = columnAt(value, header)
      if (field === undefined || at === undefined) return undefined
      columns[field] = at
    }
  }
  return { columns, all }
}

function columnAt(value: string, header: readonly string[]): number | undefined {
  const named = header.findIndex((name) => name === value || columnKey(name) === columnKey(value))
  if (named >= 0 && value !== '') return named
  const number = /^\d{1,4}$/.test(value) ? Number(value) : 0
  return number >= 1 && number <= header.length ? number - 1 : undefined
}

/** The reverse of `columnsIn`, with numbers. */
export const columnsText = ({ columns, all }: TableColumns): string =>
  [
    ...tableFields.flatMap((field) =>
      columns[field] === undefined ? [] : [`${field}=${columns[field] + 1}`],
    ),
    ...(all === undefined ? [] : [`status=:${all}`]),
  ].join(',')
