import type { Instance } from './instance'
import { add } from './seed'

/** Adds a series of `count` numbered episodes, whose ids begin at `id * 10_000 + 1`. */
export async function addSeries({ deps }: Instance, id: number, count: number, more = {}): Promise<void> {
  const episodes = Array.from({ length: count }, (_, at) => ({
    id: id * 10_000 + at + 1,
    work_id: id,
    number: String(at + 1),
    number_text: `第${at + 1}話`,
    sort_number: (at + 1) * 10,
    ...more,
  }))
  await deps.write(async (tx) => {
    await add(tx, 'works', [{ id, title: `作品${id}`, media: 'tv' }])
    await add(tx, 'episodes', episodes)
  })
}

/** The CSRF token of a form on a page. */
export const csrfIn = (text: string): string => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Texts of the strip's cells by class, without their menus. */
export const cellsOf = (text: string): [string, string][] =>
  [...text.matchAll(/class="cell (\w+)"[^>]*>([^<]*)</g)].map(([, kind = '', number = '']) => [kind, number])
