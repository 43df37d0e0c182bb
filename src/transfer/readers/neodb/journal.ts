import { createCounts } from '../../counts'
import type { InputFile } from '../../file/input-file'
import { jsonValues } from '../../file/json'
import type { Row } from '../../row'
import { countIn, entryOf, type Fields, fieldsOf, instantIn, listOf, objectsIn, textIn } from '../fields'
import { paragraphs, scoreOf } from '../row-parts'
import { neodbStatuses, refsOf } from './item'

/** Each line is a mark, a rating, a comment or a review of an item, identified by addresses; or a catalogue item. */
export const isJournal = (places: ReadonlySet<string>): boolean =>
  places.has('type') &&
  [...places].some((place) => /^(?:content\.)?(?:item|withRegardTo)(?:\[\])?(?:\.|$)/.test(place))

/** What is said about an item is spread over several lines, so it is joined here. */
export async function* journalRows(files: readonly InputFile[]): AsyncGenerator<Row> {
  const counts = createCounts()
  const items = await catalogueIn(files)
  const rows = new Map<string, Row>()
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

const itemOf = (key: string, links: readonly string[], item: Item | undefined): Row => ({
  sourceId: key,
  title: item?.title ?? '',
  refs: refsOf([...links, ...(item?.links ?? [])]),
  year: item?.year,
  mayBeOther: true,
})

function saidIn(line: Fields): Partial<Row> {
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
