import { createCounts } from '../../counts'
import { type CsvRow, csvRows } from '../../file/csv'
import type { InputFile } from '../../file/input-file'
import type { Row } from '../../row'
import { countIn, entryOf, instantIn, textIn } from '../fields'
import type { Contents } from '../reader'
import { paragraphs, scoreOf } from '../row-parts'
import { neodbStatuses, refsOf } from './item'

/** Marks of series and films; reviews and notes are added to the mark of their item, or stand alone. */
export const marksIn = (contents: Contents) => membersOf(contents, ['tv_mark.csv', 'movie_mark.csv'])

const textsIn = (contents: Contents) =>
  membersOf(contents, ['tv_review.csv', 'movie_review.csv', 'tv_note.csv', 'movie_note.csv'])

const membersOf = ({ members }: Contents, names: readonly string[]): readonly InputFile[] =>
  names.flatMap((name) => members.get(name) ?? [])

export async function* markRows(contents: Contents): AsyncGenerator<Row> {
  const texts = await readTexts(textsIn(contents))
  for (const file of marksIn(contents))
    for await (const cells of csvRows(file)) {
      const row = rowOf(cells)
      yield { ...row, note: paragraphs(textIn(cells.comment), texts.get(row.sourceId)?.note ?? '') }
      texts.delete(row.sourceId)
    }
  yield* texts.values()
}

async function readTexts(files: readonly InputFile[]): Promise<Map<string, Row>> {
  const counts = createCounts()
  const texts = new Map<string, Row>()
  for (const file of files)
    for await (const cells of csvRows(file)) {
      const row = rowOf(cells)
      if (!texts.has(row.sourceId)) counts.add('titles')
      const text = counts.kept(paragraphs(textIn(cells.review_title), textIn(cells.content)))
      texts.set(row.sourceId, { ...row, note: paragraphs(texts.get(row.sourceId)?.note ?? '', text) })
    }
  return texts
}

function rowOf(cells: CsvRow): Row {
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
