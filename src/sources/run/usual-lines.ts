import type { BegunRun } from './journal'
import type { RunTools } from './tools'

/** The fewest lines of the last three comparable successful runs; undefined if there are none. */
export async function usualLines(
  { read }: RunTools['store'],
  source: string,
  run: BegunRun,
): Promise<number | undefined> {
  const rows = await read
    .selectFrom('catalogue_runs')
    .select(['scope', 'state', 'report'])
    .where('source', '=', source)
    .where('outcome', '=', 'done')
    .where('is_dry_run', '=', 0)
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  const kind = kindOf(run.scope, run.state)
  const counts = rows
    .filter(({ scope, state }) => kindOf(JSON.parse(scope), JSON.parse(state)) === kind)
    .flatMap(({ report }) => (report === null ? [] : linesIn(JSON.parse(report))))
    .slice(0, 3)
  return counts.length === 0 ? undefined : Math.min(...counts)
}

/** What makes runs comparable. A first run imports more than later ones, which request only changes. */
const kindOf = ({ seasons, since, isFull, limit }: BegunRun['scope'], state: BegunRun['state']) =>
  JSON.stringify([seasons.length, since !== undefined, isFull, limit, Object.keys(state).length === 0])

const linesIn = ({ import: { lines } }: { import: { lines: number } }) => lines
