import type { StatusKind } from '../../../library/statuses'
import { createCounts } from '../../counts'
import { type CsvRow, csvRows } from '../../file/csv'
import type { InputFile } from '../../file/input-file'
import { jsonValues } from '../../file/json'
import type { ListRow, WorkRef } from '../../row'
import { countIn, entryOf, type Fields, fieldsOf, instantIn, listOf, objectsIn, textIn } from '../fields'
import { type Contents, type ListReader, membersOf } from '../reader'
import { paragraphs, scoreOf } from '../row-parts'

/** The CSV export and the ndjson format. A series marked complete was watched to its end. */
export const neodb: ListReader = {
  source: 'neodb',
  recognises: (contents) => marksIn(contents).length + journalIn(contents).length > 0,
  rows: (contents) => {
    const journal = journalIn(contents)
    return journal.length > 0 ? journalRows(journal) : markRows(contents)
  },
}

/** Marks of series and films; reviews and notes are added to the mark of their item, or stand alone. */
const marksIn = (contents: Contents) => filesNamed(contents, ['tv_mark.csv', 'movie_mark.csv'])

const textsIn = (contents: Contents) =>
  filesNamed(contents, ['tv_review.csv', 'movie_review.csv', 'tv_note.csv', 'movie_note.csv'])

const filesNamed = ({ members }: Contents, names: readonly string[]): readonly InputFile[] =>
  names.flatMap((name) => members.get(name) ?? [])

async function* markRows(contents: Contents): AsyncGenerator<ListRow> {
  const texts = await readTexts(textsIn(contents))
  for (const file of marksIn(contents))
    for await (const cells of csvRows(file)) {
      const row = markRow(cells)
      yield { ...row, note: paragraphs(textIn(cells.comment), texts.get(row.sourceId)?.note ?? '') }
      texts.delete(row.sourceId)
    }
  yield* texts.values()
}

async function readTexts(files: readonly InputFile[]): Promise<Map<string, ListRow>> {
  const counts = createCounts()
  const texts = new Map<string, ListRow>()
  for (const file of files)
    for await (const cells of csvRows(file)) {
      const row = markRow(cells)
      if (!texts.has(row.sourceId)) counts.add('titles')
      const text = counts.kept(paragraphs(textIn(cells.review_title), textIn(cells.content)))
      texts.set(row.sourceId, { ...row, note: paragraphs(texts.get(row.sourceId)?.note ?? '', text) })
    }
  return texts
}

function markRow(cells: CsvRow): ListRow {
  const links = textIn(cells.links).split(/\s+/)
  const status = entryOf(neodbStatuses, cells.status)
  const [, year] = /year:(\d{4})/.exec(textIn(cells.info)) ?? []
  return {
    sourceId: links[0] ?? '',
    title: textIn(cells.title),
    refs: refsOf(links),
    year: countIn(year),
    status,
    progress: status === 'watched' ? 'all' : undefined,
    score: scoreOf(cells.rating, 10),
    updatedAt: instantIn(cells.timestamp),
    mayBeOther: true,
  }
}

const journalIn = (contents: Contents) =>
  isJournal(contents.places) ? [contents.file] : membersOf(contents, /\.ndjson$/)

/** Each line is a mark, a rating, a comment or a review of an item, identified by addresses; or a catalogue item. */
const isJournal = (places: ReadonlySet<string>): boolean =>
  places.has('type') &&
  [...places].some((place) => /^(?:content\.)?(?:item|withRegardTo)(?:\[\])?(?:\.|$)/.test(place))

/** What is said about an item is spread over several lines, so it is joined here. */
async function* journalRows(files: readonly InputFile[]): AsyncGenerator<ListRow> {
  const counts = createCounts()
  const items = await catalogueIn(files)
  const rows = new Map<string, ListRow>()
  for await (const line of linesIn(files)) {
    const links = linksOf(line)
    const key = links[0] ?? ''
    if (!isLineOfSeriesOrFilm(line, key)) continue
    if (!rows.has(key)) counts.add('titles')
    const known = rows.get(key) ?? itemOf(key, links, items.get(key))
    const said = saidIn(line)
    const note = paragraphs(known.note ?? '', counts.kept(said.note ?? ''))
    rows.set(key, { ...known, ...said, note, isPrivate: known.isPrivate === true || line.visibility === 2 })
  }
  yield* rows.values()
}

async function* linesIn(files: readonly InputFile[]): AsyncGenerator<Fields> {
  for (const file of files) for await (const { value } of jsonValues(file, '$')) yield fieldsOf(value)
}

interface Item {
  readonly title: string
  readonly year: number | undefined
  readonly links: readonly string[]
}

/** Items with addresses at sites whose ids are known here. */
async function catalogueIn(files: readonly InputFile[]): Promise<ReadonlyMap<string, Item>> {
  const counts = createCounts()
  const items = new Map<string, Item>()
  for await (const line of linesIn(files)) {
    const links = objectsIn(line.external_resources).map(({ url }) => textIn(url))
    const known = links.filter((link) => refsOf([link]).length > 0)
    if (known.length === 0) continue
    counts.add('titles')
    const year = countIn(line.year)
    for (const key of [line.id, line.url].map(textIn))
      items.set(key, { title: titleOf(line), year, links: known })
  }
  return items
}

/** Addresses of an item at various sites, as work ids. */
const refsOf = (links: readonly string[]): readonly WorkRef[] => links.flatMap(refIn)

function refIn(link: string): readonly WorkRef[] {
  const [, subject] = /(?:bgm|bangumi)\.tv\/subject\/(\d+)/.exec(link) ?? []
  if (subject !== undefined) return [{ site: 'bangumi', id: subject }]
  const [, kind, id, season] = /themoviedb\.org\/(tv|movie)\/(\d+)(?:\/season\/(\d+))?/.exec(link) ?? []
  return id === undefined ? [] : [{ site: 'tmdb', id: `${kind}/${id}`, season: countIn(season) }]
}

const neodbStatuses: Readonly<Record<string, StatusKind>> = {
  wishlist: 'wanna_watch',
  progress: 'watching',
  complete: 'watched',
  dropped: 'stop_watching',
}

const titleOf = (item: Fields) => textIn(item.display_title) || textIn(item.title) || textIn(item.name)

const kinds: ReadonlySet<string> = new Set(['ShelfMember', 'Rating', 'Comment', 'Review'])

/** Books, music and games have other addresses. */
const isLineOfSeriesOrFilm = (line: Fields, link: string) =>
  kinds.has(textIn(line.type)) &&
  link !== '' &&
  !/\/(?:book|album|game|podcast|performance|people)\//.test(link)

/** A reference to an item is an address, an object with some, or a list of these. */
function linksOf(line: Fields): readonly string[] {
  const content = fieldsOf(line.content)
  return [line.item, content.item, content.withRegardTo].flatMap(linksIn)
}

function linksIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(linksIn)
  const { id, url, href, external_resources } = fieldsOf(value)
  return [
    ...[id, url, href].map(textIn).filter((link) => link !== ''),
    ...linksIn(listOf(external_resources)),
  ]
}

const itemOf = (key: string, links: readonly string[], item: Item | undefined): ListRow => ({
  sourceId: key,
  title: item?.title ?? '',
  refs: refsOf([...links, ...(item?.links ?? [])]),
  year: item?.year,
  mayBeOther: true,
})

function saidIn(line: Fields): Partial<ListRow> {
  const content = fieldsOf(line.content)
  const updatedAt = instantIn(content.updated) ?? instantIn(content.published)
  const text = textIn(line.content) || textIn(content.content)
  if (line.type === 'Comment') return { note: text }
  if (line.type === 'Review') return { note: paragraphs(textIn(content.name), text) }
  if (line.type === 'ShelfMember') {
    const status = entryOf(neodbStatuses, content.status ?? line.status)
    return { status, progress: status === 'watched' ? 'all' : undefined, updatedAt }
  }
  return { score: scoreOf(content.value ?? line.value, 10) }
}
