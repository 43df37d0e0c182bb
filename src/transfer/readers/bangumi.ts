import type { StatusKind } from '../../library/statuses'
import type { CsvRow } from '../file/csv'
import type { ListRow } from '../row'
import { countIn, entryOf, type Fields, fieldsOf, instantIn, textIn } from './fields'
import { csvReader, jsonReader, rowsAt } from './reader'
import { calledBy, scoreOf } from './row-parts'

/** The answer of `/v0/users/{name}/collections`, and `takeout.json` of bangumi-takeout-more. */
export const bangumiJson = jsonReader('bangumi', /^data\[\]\.subject_id$/, rowsAt('$.data.*', jsonRow))

/** The CSV of bangumi-takeout. */
export const bangumiCsv = csvReader('bangumi', ['地址', '状态', '完成度'], csvRow)

function jsonRow(entry: Fields): ListRow {
  const subject = fieldsOf(entry.subject)
  const status = entryOf(statuses, entry.type)
  return {
    ...calledBy('bangumi', entry.subject_id),
    title: textIn(subject.name),
    year: countIn(textIn(subject.date).slice(0, 4)),
    status,
    ...progressOf(status, countIn(entry.ep_status), countIn(subject.eps)),
    score: scoreOf(entry.rate, 10),
    note: textIn(entry.comment),
    isPrivate: entry.private === true,
    updatedAt: instantIn(entry.updated_at),
    ...(entry.subject_type !== 2 && { skipped: 'not_anime' }),
  }
}

function csvRow(cells: CsvRow): ListRow {
  const [, id] = /subject\/(\d+)/.exec(cells.地址 ?? '') ?? []
  const [, progress, total] = /^(\d+)\s*\|\s*(\d+)?/.exec(cells.完成度 ?? '') ?? []
  const status = entryOf(chineseStatuses, cells.状态)
  return {
    ...calledBy('bangumi', id),
    title: textIn(cells.名称),
    status,
    ...progressOf(status, countIn(progress), countIn(total)),
    watched: watchedIn(cells.完成单集),
    score: scoreOf(cells.我的评分, 10),
    note: cells.我的评论 === '(无评论)' ? '' : cells.我的评论,
    ...(cells.条目类型 !== '动画' && { skipped: 'not_anime' }),
  }
}

/** Many users finish a work there without ticking its episodes: without a number, all count as watched. */
const progressOf = (
  status: StatusKind | undefined,
  progress = 0,
  total = 0,
): Pick<ListRow, 'progress' | 'total' | 'mayBeComplete'> => ({
  progress: status === 'watched' && progress === 0 ? 'all' : progress,
  total: total || undefined,
  mayBeComplete: status === 'watched' && progress > 0 && progress < total,
})

/** The numbers in `{'本篇': ['1-5','7'], 'SP': ['1']}`, only of the main part. */
function watchedIn(cell = ''): readonly number[] | undefined {
  const [, list] = /'本篇'\s*:\s*\[([^\]]*)\]/.exec(cell) ?? []
  if (list === undefined) return undefined
  const watched: number[] = []
  for (const [, first, last = first] of list.matchAll(/'(\d{1,4})(?:-(\d{1,4}))?'/g)) {
    if (watched.length > mostEpisodes) break
    for (let number = Number(first); number <= Number(last); number++) watched.push(number)
  }
  return watched
}

/** More than any work has. */
const mostEpisodes = 10_000

const statuses: Readonly<Record<string, StatusKind>> = {
  1: 'wanna_watch',
  2: 'watched',
  3: 'watching',
  4: 'on_hold',
  5: 'stop_watching',
}

const chineseStatuses: Readonly<Record<string, StatusKind>> = {
  想看: 'wanna_watch',
  看过: 'watched',
  在看: 'watching',
  搁置: 'on_hold',
  抛弃: 'stop_watching',
}
