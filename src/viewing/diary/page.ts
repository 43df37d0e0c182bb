import { html, type Markup } from '../../pages/html'
import { icon, sprite } from '../../pages/icons'
import type { PageContent } from '../../pages/layout'
import { formatDay, readerTime } from '../../pages/local-format'
import { timeMarkup } from '../../pages/moment'
import { anyone, definePage, seeOther } from '../../web/page'
import { queryText, type Visit } from '../../web/visit'
import { findUser, isOwn, readerOf, robotsOf, type ShownUser } from '../parts/find-user'
import { pageLinks, pageNumber } from '../parts/page-links'
import { type DiaryEntry, deleteForms, entriesOf, entryList, guardOf } from './entry'
import { diaryPath, headOf, noEntries, yearAndMonth } from './head'
import { type DatedKey, type MonthOfDiary, monthGrid, monthOfDiary, weekdayOf } from './month'

/** Entries per page: about 50 KB. */
const pageSize = 36

/** The current month in the reader's zone. */
export const diaryOfNow = definePage({
  path: '/@:username/diary',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    const { year, month } = readerTime(visit, visit.now)
    return seeOther(visit, `/@${user.username}/diary/${year}/${month}`)
  },
})

/** What a user watched in a month, by day. Visitors see that of public profiles (D64). */
export const diaryOfMonth = definePage({
  path: '/@:username/diary/:year/:month',
  access: anyone,
  show: async (visit) => {
    const user = await findUser(visit)
    const asked = yearAndMonth(visit)
    const month = await monthOfDiary(visit.deps.seen, user.id, { ...asked, preferences: visit.preferences })
    return showMonth(visit, user, month)
  },
})

async function showMonth(visit: Visit, user: ShownUser, month: MonthOfDiary): Promise<PageContent> {
  const { deps } = visit
  const { keys, days } = month
  const page = pageNumber(queryText(visit, 'page'), Math.ceil(keys.length / pageSize))
  const shown = keys.slice((page - 1) * pageSize, page * pageSize)
  const entries = await entriesOf(deps.seen, shown, readerOf(visit))
  const path = diaryPath(visit, user, month)
  const pathOf = (day: number) => {
    const at = Math.floor(keys.findIndex((key) => key.day === day) / pageSize) + 1
    return `${at === page ? '' : `${path}?page=${at}`}#day-${day - days.first + 1}`
  }
  const title = formatDay(visit, days.first, 'month')
  const list = entries.length === 0 ? noEntries(visit, user) : dayList(visit, user, month, entries)
  const main = html`${sprite('great', 'good', 'average', 'bad', 'more', 'lock')}
    ${headOf(visit, user, { ...month, title, counted: keys })}
    <div class="diary"><div class="days" id="opinions">${guardOf(visit, user, entries)}${list}${pageLinks(visit, path, { page, pages: Math.ceil(keys.length / pageSize) })}</div>
    ${monthGrid(visit, month, pathOf)}</div>
    ${isOwn(visit, user) ? deleteForms(visit) : ''}`
  return {
    title: `${title} · ${user.name}`,
    main,
    ...robotsOf(user),
    ...(isOwn(visit, user) && { place: 'me' }),
  }
}

function dayList(
  visit: Visit,
  user: ShownUser,
  { keys, days }: MonthOfDiary,
  entries: readonly DiaryEntry[],
): readonly Markup[] {
  const dayOfEntry = new Map(keys.map((key) => [placeOf(key), key.day]))
  const byDay = Map.groupBy(entries, (entry) => dayOfEntry.get(placeOf(entry)))
  return [...byDay].map(([day, some]) => daySection(visit, user, { day, first: days.first, entries: some }))
}

const placeOf = ({ is_viewing, id }: Pick<DatedKey, 'is_viewing' | 'id'>) => `${is_viewing}-${id}`

interface DayOfDiary {
  readonly day: number | undefined
  readonly first: number
  readonly entries: readonly DiaryEntry[]
}

function daySection(visit: Visit, user: ShownUser, { day, first, entries }: DayOfDiary): Markup {
  const list = entryList(visit, user, entries, ({ at, precision }) =>
    precision === 'time' ? timeMarkup(visit, at, 'clock') : '',
  )
  if (day === undefined)
    return html`<section class="day-entries"><h2 class="sometime">${icon('calendar', 16)}${visit.t.diary.sometimeInMonth}</h2>${list}</section>`
  const date = day - first + 1
  const isSunday = weekdayOf(day) === 0
  return html`<section class="day-entries" id="day-${date}"><h2${isSunday ? html` class="sunday"` : ''}><b>${date}</b> <small>${formatDay(visit, day, 'weekday')}</small></h2>${list}</section>`
}
